// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Who owns a token, in one word: owner 160 | transfer count 96. Zero while its creator never parted with it.
type Holding is uint256;

using HoldingFields for Holding global;

/// @notice Packs a holding.
function packHolding(address owner, uint256 transferCount) pure returns (Holding) {
    return Holding.wrap((uint256(uint160(owner)) << 96) | transferCount);
}

/// @notice Reads a holding.
library HoldingFields {
    /// @notice Reads the owner, zero for the creator.
    function owner(Holding holding) internal pure returns (address) {
        return address(uint160(Holding.unwrap(holding) >> 96));
    }

    /// @notice Reads how often the token changed hands.
    function transferCount(Holding holding) internal pure returns (uint256) {
        return uint96(Holding.unwrap(holding));
    }
}
