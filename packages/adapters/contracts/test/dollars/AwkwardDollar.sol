// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestDollar} from "../../src/TestDollar.sol";

/// @notice A dollar that pauses, blocks accounts, takes fees, lies, and calls whoever it is told to while it moves.
contract AwkwardDollar is TestDollar {
    bool private _paused;
    bool private _lies;
    uint256 private _feeBps;
    address private _target;
    bytes private _plan;
    mapping(address account => bool blocked) private _blocked;

    bool public entered;
    bytes4 public answer;

    error Paused();
    error Blocked();

    function pause(bool paused) external {
        _paused = paused;
    }

    function lie(bool lies) external {
        _lies = lies;
    }

    function take(uint256 feeBps) external {
        _feeBps = feeBps;
    }

    function blockAccount(address account, bool blocked) external {
        _blocked[account] = blocked;
    }

    function prepare(address target, bytes calldata plan) external {
        (_target, _plan) = (target, plan);
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        super.transfer(to, value);
        return !_lies;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0)) _resist(from, to);
        uint256 fee = from == address(0) ? 0 : (value * _feeBps) / 10_000;
        super._update(from, to, value - fee);
        if (fee != 0) super._update(from, address(0xfee), fee);
    }

    function _resist(address from, address to) private {
        if (_paused) revert Paused();
        if (_blocked[from] || _blocked[to]) revert Blocked();
        if (_plan.length == 0) return;
        (bool done, bytes memory reason) = _target.call(_plan);
        (entered, answer) = (done, bytes4(reason));
    }
}

/// @notice A token of an attacker: says that everybody has some, moves nothing, and calls the marketplace.
contract HostileToken {
    address private immutable _target;
    bytes private _plan;

    bool public entered;
    bytes4 public answer;

    constructor(address target, bytes memory plan) {
        (_target, _plan) = (target, plan);
    }

    function balanceOf(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function transfer(address, uint256) external returns (bool) {
        (bool done, bytes memory reason) = _target.call(_plan);
        (entered, answer) = (done, bytes4(reason));
        return true;
    }
}

/// @notice A wallet that recognises every signature (ERC-1271), and tries to act while it is asked.
contract MeddlingWallet {
    address private _target;
    bytes private _plan;

    function prepare(address target, bytes calldata plan) external {
        (_target, _plan) = (target, plan);
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        (bool done,) = _target.staticcall(_plan);
        return done ? bytes4(0xffffffff) : this.isValidSignature.selector;
    }
}
