// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HeirHandler} from "./HeirHandler.sol";
import {OrderHandler} from "./OrderHandler.sol";

/// @notice What stays true of dollars and orders through any story.
contract OrderInvariantTest {
    OrderHandler private handler;

    function setUp() external {
        handler = new OrderHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_orders() external view {
        handler.requireOrders();
        handler.requireDollars();
    }
}

/// @notice What stays true of accounts and their heirs through any story.
contract HeirInvariantTest {
    HeirHandler private handler;

    function setUp() external {
        handler = new HeirHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_heirs() external view {
        handler.requirePlans();
        handler.requireOwners();
    }
}
