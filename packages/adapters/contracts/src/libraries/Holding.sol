// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The owner of a token, in one word: owner 160 | transfer count 96. Zero before the first transfer.
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

    /// @notice Returns the number of transfers of the token.
    function transferCount(Holding holding) internal pure returns (uint256) {
        return uint96(Holding.unwrap(holding));
    }
}
