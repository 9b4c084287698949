// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice When tokens move and approvals are given, for any caller and any arguments.
contract OwnershipFuzzTest is World {
    struct Act {
        uint256 id;
        uint256 caller;
        uint256 from;
        uint256 to;
        uint256 approved;
        uint256 operator;
    }

    function test_fuzz_transferFrom(Act memory act) external {
        (uint256 id, address caller, address from, address to) = _prepare(act);
        _move(id, abi.encodeCall(registry.transferFrom, (from, to, id)), caller, to, _failure(id, caller, from, to));
    }

    function test_fuzz_safeTransferFrom(Act memory act, bytes memory note) external {
        (uint256 id, address caller, address from, address to) = _prepare(act);
        bytes memory failure = _failure(id, caller, from, to);
        // No contract of this world has a function to receive tokens.
        if (failure.length == 0 && to.code.length > 0) {
            vm.assume(to > address(0xffff));
            failure = abi.encodeWithSignature("ERC721InvalidReceiver(address)", to);
        }
        bytes memory data = abi.encodeWithSelector(bytes4(0xb88d4fde), from, to, id, note);
        if (note.length == 0) data = abi.encodeWithSelector(bytes4(0x42842e0e), from, to, id);
        _move(id, data, caller, to, failure);
    }

    function test_fuzz_approve(Act memory act) external {
        (uint256 id, address caller,, address to) = _prepare(act);
        bytes memory failure;
        if (!_exists(id)) {
            failure = abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
        } else {
            address owner = registry.ownerOf(id);
            if (caller != owner && !registry.isApprovedForAll(owner, caller)) {
                failure = abi.encodeWithSignature("ERC721InvalidApprover(address)", caller);
            }
        }
        address before = _exists(id) ? registry.getApproved(id) : address(0);
        _demand(caller, address(registry), 0, abi.encodeCall(registry.approve, (to, id)), failure);
        if (_exists(id)) vm.assertEq(registry.getApproved(id), failure.length > 0 ? before : to, "approved");
    }

    function test_fuzz_setApprovalForAll(address caller, address operator, bool approved) external {
        bytes memory failure;
        if (operator == address(0)) failure = abi.encodeWithSignature("ERC721InvalidOperator(address)", operator);
        bytes memory data = abi.encodeCall(registry.setApprovalForAll, (operator, approved));
        _demand(caller, address(registry), 0, data, failure);
        vm.assertTrue(registry.isApprovedForAll(caller, operator) == (approved && operator != address(0)), "approved");
    }

    function test_fuzz_balanceOf(address account) external {
        bytes memory failure;
        if (account == address(0)) failure = abi.encodeWithSignature("ERC721InvalidOwner(address)", account);
        _demand(dave, address(registry), 0, abi.encodeCall(registry.balanceOf, (account)), failure);
    }

    /// @dev A token with an approved account and an operator, and somebody who is often one of them.
    function _prepare(Act memory act) private returns (uint256 id, address caller, address from, address to) {
        id = _id(act.id);
        (from, to) = (_recipient(act.from), _recipient(act.to));
        caller = _recipient(act.caller >> 2);
        if (!_exists(id)) return (id, caller, from, to);
        address owner = registry.ownerOf(id);
        vm.startPrank(owner);
        registry.approve(_person(act.approved), id);
        registry.setApprovalForAll(_person(act.operator), true);
        vm.stopPrank();
        if (act.caller % 4 == 0) caller = owner;
        if (act.caller % 4 == 1) caller = _person(act.approved);
        if (act.caller % 4 == 2) caller = _person(act.operator);
        if (act.from % 4 != 0) from = owner;
    }

    function _move(uint256 id, bytes memory data, address caller, address to, bytes memory failure) private {
        (address owner, uint256 count) = _exists(id) ? registry.holdingOf(id) : (address(0), 0);
        _demand(caller, address(registry), 0, data, failure);
        if (!_exists(id)) return;
        bool moved = failure.length == 0;
        (address ownerNow, uint256 countNow) = registry.holdingOf(id);
        vm.assertEq(ownerNow, moved ? to : owner, "owner");
        vm.assertEq(countNow, moved ? count + 1 : count, "transfer count");
        if (moved) vm.assertEq(registry.getApproved(id), address(0), "approved");
    }

    function _failure(uint256 id, address caller, address from, address to) private view returns (bytes memory) {
        if (!_canHold(to)) return abi.encodeWithSignature("ERC721InvalidReceiver(address)", to);
        if (!_exists(id)) return abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
        address owner = registry.ownerOf(id);
        bool allowed = caller == owner || registry.isApprovedForAll(owner, caller) || registry.getApproved(id) == caller;
        if (!allowed) return abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", caller, id);
        if (from == owner) return "";
        return abi.encodeWithSignature("ERC721IncorrectOwner(address,uint256,address)", from, id, owner);
    }
}
