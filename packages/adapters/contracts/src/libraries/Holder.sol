// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice An account that holds tokens, in one word: last sign of life 64 | number of tokens 192.
type Holder is uint256;

using HolderFields for Holder global;

uint256 constant SIGN_BIT = 192;
uint256 constant BALANCE_MASK = 2 ** 192 - 1;

/// @notice Reads and changes a holder.
library HolderFields {
    /// @notice Returns the number of tokens.
    function balance(Holder holder) internal pure returns (uint256) {
        return Holder.unwrap(holder) & BALANCE_MASK;
    }

    /// @notice Returns the time of the last sign of life in seconds, 0 for none.
    function lastSign(Holder holder) internal pure returns (uint256) {
        return Holder.unwrap(holder) >> SIGN_BIT;
    }

    /// @notice Returns the holder with one token more.
    function plusOne(Holder holder) internal pure returns (Holder) {
        unchecked {
            return Holder.wrap(Holder.unwrap(holder) + 1);
        }
    }

    /// @notice Returns the holder, who has a token, with one token less.
    function minusOne(Holder holder) internal pure returns (Holder) {
        unchecked {
            return Holder.wrap(Holder.unwrap(holder) - 1);
        }
    }

    /// @notice Returns the holder with a sign of life now.
    function signed(Holder holder) internal view returns (Holder) {
        return Holder.wrap((block.timestamp << SIGN_BIT) | (Holder.unwrap(holder) & BALANCE_MASK));
    }
}
