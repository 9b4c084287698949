// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Trespasser} from "./Trespasser.sol";

/// @notice What stays true of a market through any story.
contract MarketInvariantTest {
    Trespasser private handler;

    function setUp() external {
        handler = new Trespasser();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev One function, since the seed is pinned: each further one would watch the same stories again.
    function invariant_market() external view {
        handler.requireRecords();
        handler.requireListings();
        handler.requireCounts();
        handler.requireRentals();
        handler.requireMoney();
    }
}
