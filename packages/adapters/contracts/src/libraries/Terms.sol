// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A listing in one word: 1 spare | in dollars 1 | price 80 | rentPerDay 80 | forkPrice 80 | royaltyBps 14.
type Terms is uint256;

using TermsFields for Terms global;

/// @dev The highest price that fits.
uint256 constant PRICE_LIMIT = 2 ** 80 - 1;

uint256 constant DOLLAR_BIT = 254;
uint256 constant PRICE_BIT = 174;
uint256 constant RENT_BIT = 94;
uint256 constant FORK_BIT = 14;

/// @notice Packs terms whose values fit. Terms without a price have no currency.
function packTerms(uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps, bool inDollars)
    pure
    returns (Terms)
{
    uint256 word = (price << PRICE_BIT) | (rentPerDay << RENT_BIT) | (forkPrice << FORK_BIT);
    if (inDollars && word != 0) word |= 1 << DOLLAR_BIT;
    return Terms.wrap(word | royaltyBps);
}

/// @notice Reads the terms of a listing.
library TermsFields {
    /// @notice Returns whether the terms are empty.
    function isEmpty(Terms terms) internal pure returns (bool) {
        return Terms.unwrap(terms) == 0;
    }

    /// @notice Returns whether the prices are in dollars and not in the native coin.
    function inDollars(Terms terms) internal pure returns (bool) {
        return (Terms.unwrap(terms) >> DOLLAR_BIT) & 1 != 0;
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
