// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What an account arranged for its tokens, in one word: heir 160 | announced at 64 | silence 16 | notice 16,
/// the last two in days. Zero when there is no heir.
type Inheritance is uint256;

using InheritanceFields for Inheritance global;

/// @dev The least and the most days of silence and of notice.
uint256 constant LEAST_DAYS = 30;
uint256 constant MOST_DAYS = 3650;

uint256 constant HEIR_BIT = 96;
uint256 constant ANNOUNCED_BIT = 32;
uint256 constant SILENCE_BIT = 16;

/// @notice Packs an inheritance that is not announced.
function packInheritance(address heir, uint256 silenceDays, uint256 noticeDays) pure returns (Inheritance) {
    return Inheritance.wrap((uint256(uint160(heir)) << HEIR_BIT) | (silenceDays << SILENCE_BIT) | noticeDays);
}

/// @notice Reads and changes an inheritance.
library InheritanceFields {
    /// @notice Returns the heir, zero for none.
    function heir(Inheritance inheritance) internal pure returns (address) {
        return address(uint160(Inheritance.unwrap(inheritance) >> HEIR_BIT));
    }

    /// @notice Returns the time when the heir announced to take over, in seconds; 0 for never.
    function announcedAt(Inheritance inheritance) internal pure returns (uint256) {
        return uint64(Inheritance.unwrap(inheritance) >> ANNOUNCED_BIT);
    }

    /// @notice Returns the days without a sign of life after which the heir may announce.
    function silenceDays(Inheritance inheritance) internal pure returns (uint256) {
        return uint16(Inheritance.unwrap(inheritance) >> SILENCE_BIT);
    }

    /// @notice Returns the days between the announcement and the takeover.
    function noticeDays(Inheritance inheritance) internal pure returns (uint256) {
        return uint16(Inheritance.unwrap(inheritance));
    }

    /// @notice Returns the inheritance, announced now.
    function announced(Inheritance inheritance) internal view returns (Inheritance) {
        uint256 rest = Inheritance.unwrap(inheritance) & ~(uint256(type(uint64).max) << ANNOUNCED_BIT);
        return Inheritance.wrap(rest | (uint256(uint64(block.timestamp)) << ANNOUNCED_BIT));
    }
}
