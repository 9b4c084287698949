// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "../support/Money.sol";
import {Vm, vm} from "../support/Vm.sol";

/// @notice Tokens of every provenance, and arguments that are often right, often nearly so, and sometimes anything.
abstract contract World is Money {
    uint256 internal constant LIMIT = 2 ** 80 - 1;

    constructor() {
        vm.warp(1_800_000_000);
        uint256 root = _mint(alice);
        uint256 given = _mint(refusing, bob, 0);
        uint256 moved = _mint(bob);
        _transfer(moved, bob, carol);
        _forkedFrom(_forkedFrom(root, address(reentrant), 2_500), carol, 10_000);
        _mint(dave, dave, _forkedFrom(given, forcing, 0));
        uint256 deep = _forkedFrom(moved, hogging, 999);
        for (uint256 i = 0; i < 10; ++i) {
            deep = _forkedFrom(deep, people[i % people.length], i == 3 ? 0 : 500 + 100 * i);
        }
        for (uint256 i = 0; i < people.length; ++i) {
            vm.deal(people[i], 0);
            credit[people[i]] = marketplace.creditOf(people[i]);
        }
        forced = address(marketplace).balance - credit[refusing] - credit[hogging];
    }

    function _forkedFrom(uint256 parent, address forker, uint256 royaltyBps) private returns (uint256) {
        _list(parent, 0, 0, 100, royaltyBps);
        return _fork(parent, 100, forker);
    }

    /// @dev An id just outside the supply now and then, and any at all more rarely.
    function _id(uint256 seed) internal view returns (uint256) {
        if (seed % 16 == 0) return seed;
        return (seed >> 8) % (registry.totalSupply() + 2);
    }

    function _exists(uint256 tokenId) internal view returns (bool) {
        return tokenId != 0 && tokenId <= registry.totalSupply();
    }

    function _person(uint256 seed) internal view returns (address) {
        return people[seed % people.length];
    }

    /// @dev Mostly somebody who can hold a token.
    function _recipient(uint256 seed) internal view returns (address) {
        if (seed % 16 == 0) return address(0);
        if (seed % 16 == 1) return address(registry);
        if (seed % 16 == 2) return address(marketplace);
        if (seed % 16 == 3) return address(uint160(seed >> 8));
        return _person(seed >> 8);
    }

    function _canHold(address account) internal view returns (bool) {
        return account != address(0) && account != address(registry) && account != address(marketplace)
            && account != address(forwarder);
    }

    /// @dev Mostly a price that fits, with both ends of the range.
    function _price(uint256 seed) internal pure returns (uint256) {
        if (seed % 16 == 0) return seed;
        if (seed % 16 == 1) return LIMIT;
        if (seed % 16 == 2) return LIMIT + 1;
        if (seed % 16 == 3) return 0;
        if (seed % 16 < 8) return (seed >> 8) % 10_000;
        return (seed >> 8) % LIMIT;
    }

    /// @dev Mostly what is asked.
    function _offer(uint256 seed, uint256 asked) internal pure returns (uint256) {
        if (seed % 8 == 0) return asked + 1;
        if (seed % 8 == 1 && asked > 0) return asked - 1;
        if (seed % 8 == 2) return (seed >> 8) % LIMIT;
        return asked;
    }

    function _log(bytes32 signature, uint256 value) internal returns (Vm.Log memory found) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count = 0;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != signature) continue;
            found = logs[i];
            ++count;
        }
        vm.assertEq(count, value, "events of this kind");
    }

    function _tokenNotFound(uint256 tokenId) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("TokenNotFound(uint256)", tokenId);
    }

    function _recipientInvalid(address recipient) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("RecipientInvalid(address)", recipient);
    }
}
