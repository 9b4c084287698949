// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A listing in one word: price 80 | rentPerDay 80 | forkPrice 80 | royaltyBps 14.
type Terms is uint256;

using TermsFields for Terms global;

/// @dev The highest price that fits.
uint256 constant PRICE_LIMIT = 2 ** 80 - 1;

uint256 constant PRICE_BIT = 174;
uint256 constant RENT_BIT = 94;
uint256 constant FORK_BIT = 14;

/// @notice Packs terms whose values fit.
function packTerms(uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps) pure returns (Terms) {
    return Terms.wrap((price << PRICE_BIT) | (rentPerDay << RENT_BIT) | (forkPrice << FORK_BIT) | royaltyBps);
}

/// @notice Reads the terms of a listing.
library TermsFields {
    /// @notice Returns whether the terms are empty.
    function isEmpty(Terms terms) internal pure returns (bool) {
        return Terms.unwrap(terms) == 0;
    }

    /// @notice Reads the price of the token.
    function price(Terms terms) internal pure returns (uint256) {
        return (Terms.unwrap(terms) >> PRICE_BIT) & PRICE_LIMIT;
    }

    /// @notice Reads the price of a day of access.
    function rentPerDay(Terms terms) internal pure returns (uint256) {
        return (Terms.unwrap(terms) >> RENT_BIT) & PRICE_LIMIT;
    }

    /// @notice Reads the price of a fork.
    function forkPrice(Terms terms) internal pure returns (uint256) {
        return (Terms.unwrap(terms) >> FORK_BIT) & PRICE_LIMIT;
    }

    /// @notice Reads the royalty that a fork will owe, in basis points.
    function royaltyBps(Terms terms) internal pure returns (uint256) {
        return Terms.unwrap(terms) & (2 ** 14 - 1);
    }
}
