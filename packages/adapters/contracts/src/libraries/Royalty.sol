// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../interfaces/IMemoryRegistry.sol";

/// @notice Divides a price among the holders of claims on it and the seller.
library Royalty {
    /// @notice The whole of a price, in basis points.
    uint256 internal constant WHOLE = 10_000;
    /// @notice The most claims on a price.
    uint256 internal constant CLAIM_LIMIT = 8;

    /// @notice Rounds a share of an amount down, without overflow for any amount.
    function shareOf(uint256 amount, uint256 royaltyBps) internal pure returns (uint256) {
        unchecked {
            return (amount / WHOLE) * royaltyBps + ((amount % WHOLE) * royaltyBps) / WHOLE;
        }
    }

    /// @notice Divides a price: each claim takes its share of the whole price, and the rest is the seller's.
    /// @dev Claims together never exceed the whole, so the amounts and the rest add up to exactly the price.
    function split(IMemoryRegistry.Claim[] memory claims, uint256 price)
        internal
        pure
        returns (uint256[] memory amounts, uint256 rest)
    {
        amounts = new uint256[](claims.length);
        rest = price;
        for (uint256 i = 0; i < amounts.length; ++i) {
            amounts[i] = shareOf(price, claims[i].royaltyBps);
            rest -= amounts[i];
        }
    }

    /// @notice Adds the claim that a fork would owe to those that its parent owes, in basis points.
    /// @dev `effectiveBps` is what the fork would newly owe: no more than is left of the whole, and nothing when there are
    /// as many claims as a price can carry. `totalBps` is what it would owe in all.
    function extend(IMemoryRegistry.Claim[] memory claims, uint256 royaltyBps)
        internal
        pure
        returns (uint256 effectiveBps, uint256 totalBps)
    {
        unchecked {
            for (uint256 i = 0; i < claims.length; ++i) {
                totalBps += claims[i].royaltyBps;
            }
            if (claims.length < CLAIM_LIMIT) {
                uint256 left = WHOLE - totalBps;
                effectiveBps = royaltyBps < left ? royaltyBps : left;
                totalBps += effectiveBps;
            }
        }
    }
}
