//! Sections as arrays of fixed-size records of little-endian `u32` fields.

/// The records of one section.
#[derive(Clone, Copy)]
pub(crate) struct Records<'t, const BYTES: usize>(&'t [[u8; BYTES]]);

impl<'t, const BYTES: usize> Records<'t, BYTES> {
    /// All of `bytes` as records; nothing if the last is cut off.
    pub(crate) fn new(bytes: &'t [u8]) -> Option<Self> {
        let (records, rest) = bytes.as_chunks::<BYTES>();
        rest.is_empty().then_some(Self(records))
    }

    pub(crate) const fn len(self) -> usize {
        self.0.len()
    }

    /// The one record, if there is one only.
    pub(crate) fn only(self) -> Option<Record<'t, BYTES>> {
        let [record] = self.0 else { return None };
        Some(Record(record))
    }

    #[inline(always)]
    pub(crate) fn get(self, place: u32) -> Option<Record<'t, BYTES>> {
        self.0.get(place as usize).map(Record)
    }

    /// `number` records from `start` on.
    pub(crate) fn range(self, start: u32, number: u32) -> Option<Self> {
        let start = start as usize;
        self.0.get(start..start.checked_add(number as usize)?).map(Self)
    }

    /// The records from `start` on.
    #[inline(always)]
    pub(crate) fn from(self, start: u32) -> impl Iterator<Item = Record<'t, BYTES>> {
        self.0.get(start as usize..).unwrap_or_default().iter().map(Record)
    }

    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = Record<'t, BYTES>> + ExactSizeIterator + Clone {
        self.0.iter().map(Record)
    }

    /// How many of the records, which `before` must split in two, come first.
    pub(crate) fn partition_point(self, mut before: impl FnMut(Record<'_, BYTES>) -> bool) -> usize {
        self.0.partition_point(|record| before(Record(record)))
    }
}

/// One record.
#[derive(Clone, Copy)]
pub(crate) struct Record<'t, const BYTES: usize>(&'t [u8; BYTES]);

impl<const BYTES: usize> Record<'_, BYTES> {
    /// The field with this number, from 0; the layout fixes how many there are.
    #[inline(always)]
    pub(crate) fn field(self, number: usize) -> u32 {
        let (fields, _) = self.0.as_chunks::<4>();
        fields.get(number).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }
}
