//! Numbers in sentences.

/// `1 file`, `2 files`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(999, "rule"), "999 rules");
        assert_eq!(count(1234567, "byte"), "1,234,567 bytes");
    }
}
