// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDeposit} from "./interfaces/IDeposit.sol";
import {Transfer} from "./libraries/Transfer.sol";

/// @notice The code of every deposit address: holds what was paid for one order until the marketplace moves it.
contract Deposit is IDeposit {
    address private immutable _marketplace = msg.sender;

    /// @inheritdoc IDeposit
    function pull(address asset, address to, uint256 amount) external returns (bool) {
        if (msg.sender != _marketplace) revert CallerNotMarketplace(msg.sender);
        return asset == address(0)
            ? Transfer.sendNative(to, amount, gasleft())
            : Transfer.sendToken(asset, to, amount, gasleft());
    }
}
