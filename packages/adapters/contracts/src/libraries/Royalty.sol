// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../interfaces/IMemoryRegistry.sol";

/// @notice Divides a price among the creators of a lineage and the seller.
library Royalty {
    /// @notice All of a price, in basis points.
    uint256 internal constant WHOLE = 10_000;

    /// @notice Rounds a share of an amount down, without overflow for any amount.
    function shareOf(uint256 amount, uint256 royaltyBps) internal pure returns (uint256) {
        unchecked {
            return (amount / WHOLE) * royaltyBps + ((amount % WHOLE) * royaltyBps) / WHOLE;
        }
    }

    /// @notice Gives what each ancestor keeps of a price, and the rest; together exactly the price.
    /// @dev Each ancestor is paid out of the share of the one before it, so a longer lineage never costs the seller more.
    function split(IMemoryRegistry.Ancestor[] memory ancestors, uint256 price)
        internal
        pure
        returns (uint256[] memory amounts, uint256 rest)
    {
        amounts = new uint256[](ancestors.length);
        rest = price;
        uint256 gross = price;
        for (uint256 i = 0; i < amounts.length; ++i) {
            gross = shareOf(gross, ancestors[i].royaltyBps);
            amounts[i] = gross;
            if (i == 0) rest -= gross;
            else amounts[i - 1] -= gross;
        }
    }
}
