// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MemoryMarketplace} from "../../src/MemoryMarketplace.sol";
import {Terms} from "../../src/libraries/Terms.sol";

/// @notice The price and the end of a rental neither overflow nor fall short.
contract Rentals is MemoryMarketplace {
    constructor() MemoryMarketplace(address(0)) {}

    function priceOfDays(uint256 word, uint16 numberOfDays) external pure {
        require(numberOfDays <= _DAYS_LIMIT);
        uint256 rentPerDay = Terms.wrap(word).rentPerDay();
        uint256 price = rentPerDay * numberOfDays;
        assert(numberOfDays == 0 || price >= rentPerDay);
        assert(price < 2 ** 89);
    }

    function expiry(uint256 tokenId, address renter, uint16 numberOfDays) external view {
        uint256 current = rentalExpiry[tokenId][renter];
        require(current <= _latestExpiry());
        require(numberOfDays <= _DAYS_LIMIT);
        uint256 later = _expiryAfter(tokenId, renter, numberOfDays);
        assert(later >= block.timestamp + uint256(numberOfDays) * 1 days);
        assert(later >= current + uint256(numberOfDays) * 1 days);
        assert(later <= block.timestamp + 2 * _DAYS_LIMIT * 1 days);
        assert(current > block.timestamp || later == block.timestamp + uint256(numberOfDays) * 1 days);
    }
}
