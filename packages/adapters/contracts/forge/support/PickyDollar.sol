// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestDollar} from "../../src/TestDollar.sol";

/// @notice A dollar that pays nothing to one account while that is blocked.
contract PickyDollar is TestDollar {
    error Blocked(address account);

    mapping(address account => bool blocked) public isBlocked;

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isBlocked[to]) revert Blocked(to);
        super._update(from, to, value);
    }
}
