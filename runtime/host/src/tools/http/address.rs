//! Which addresses are somebody else's, and open to everybody.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Ranges of version 4 that lead to this host or its network, to nowhere, or to many: address and length of the prefix
/// (the registry of special-purpose addresses, RFC 6890 and what has been added since).
const SPECIAL_4: [([u8; 4], u32); 17] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24),
    ([192, 52, 193, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([192, 175, 48, 0], 24),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Groups, and what is reserved, the broadcast address with it.
    ([224, 0, 0, 0], 3),
];

/// The one range of version 6 that holds public addresses, and what in it does not.
const GLOBAL_6: ([u16; 8], u32) = ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);
const SPECIAL_6: [([u16; 8], u32); 5] = [
    // Protocols, among them what holds an address of version 4.
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    // What holds an address of version 4.
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
    ([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

/// Whether an address is one that everybody can reach.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let special = |(prefix, length): &([u8; 4], u32)| {
                begins(address.to_bits().into(), Ipv4Addr::from(*prefix).to_bits().into(), 32 - length)
            };
            !SPECIAL_4.iter().any(special)
        }
        IpAddr::V6(address) => {
            let within = |(prefix, length): &([u16; 8], u32)| {
                begins(address.to_bits(), Ipv6Addr::from(*prefix).to_bits(), 128 - length)
            };
            within(&GLOBAL_6) && !SPECIAL_6.iter().any(within)
        }
    }
}

/// Whether two addresses agree but for so many of their last bits.
const fn begins(address: u128, prefix: u128, rest: u32) -> bool {
    address >> rest == prefix >> rest
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn only_what_everybody_can_reach_is_public() {
        for address in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:8.8.8.8",
            "::8.8.8.8",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00::1",
            "3ffe::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
