// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "../support/Vm.sol";
import {TokenStates} from "./TokenStates.sol";

/// @notice ERC-721, approvals of one token and of all tokens.
contract ApprovalTest is TokenStates {
    function test_approve_byOwner() external inEveryState {
        _approveBy(owner, dave);
    }

    function test_approve_byOperator() external inEveryState {
        vm.prank(owner);
        registry.setApprovalForAll(carol, true);
        _approveBy(carol, dave);
    }

    function test_approve_theOwner() external inEveryState {
        _approveBy(owner, owner);
    }

    function test_approve_theSameAgain() external inEveryState {
        _approveBy(owner, dave);
        _approveBy(owner, dave);
    }

    function test_approve_anotherInstead() external inEveryState {
        _approveBy(owner, dave);
        _approveBy(owner, carol);
        _refuse(dave, abi.encodeCall(registry.transferFrom, (owner, dave, tokenId)), _insufficient(dave));
    }

    function test_approve_nobody() external inEveryState {
        _approveBy(owner, dave);
        _approveBy(owner, address(0));
        _refuse(dave, abi.encodeCall(registry.transferFrom, (owner, dave, tokenId)), _insufficient(dave));
    }

    function test_approve_failsByStranger() external inEveryState {
        _refuse(dave, abi.encodeCall(registry.approve, (dave, tokenId)), _invalidApprover(dave));
    }

    function test_approve_failsByApproved() external inEveryState {
        _approveBy(owner, dave);
        _refuse(dave, abi.encodeCall(registry.approve, (carol, tokenId)), _invalidApprover(dave));
    }

    function test_approve_failsByFormerOwner() external inEveryState {
        _transfer(tokenId, owner, carol);
        _refuse(owner, abi.encodeCall(registry.approve, (dave, tokenId)), _invalidApprover(owner));
    }

    function test_approve_failsByMarketplace() external inEveryState {
        bytes memory data = abi.encodeCall(registry.approve, (dave, tokenId));
        _refuse(address(marketplace), data, _invalidApprover(address(marketplace)));
    }

    function test_approve_failsForNoToken() external inEveryState {
        uint256 absent = registry.totalSupply() + 1;
        _refuse(owner, abi.encodeCall(registry.approve, (dave, absent)), _nonexistent(absent));
        _refuse(address(0), abi.encodeCall(registry.approve, (dave, absent)), _nonexistent(absent));
    }

    function test_getApproved_isNobodyAtFirst() external inEveryState {
        vm.assertEq(registry.getApproved(tokenId), address(0), "approved");
    }

    function test_getApproved_isNobodyAfterATransfer() external inEveryState {
        _approveBy(owner, dave);
        _transfer(tokenId, owner, carol);
        vm.assertEq(registry.getApproved(tokenId), address(0), "approved");
        _transfer(tokenId, carol, owner);
        vm.assertEq(registry.getApproved(tokenId), address(0), "approved after the return");
    }

    function test_getApproved_isNobodyAfterASale() external inEveryState {
        _approveBy(owner, dave);
        _list(tokenId, 100, 0, 0, 0);
        _buy(tokenId, 100, carol);
        vm.assertEq(registry.getApproved(tokenId), address(0), "approved");
    }

    function test_getApproved_failsForNoToken() external inEveryState {
        uint256 absent = registry.totalSupply() + 1;
        _refuse(owner, abi.encodeCall(registry.getApproved, (absent)), _nonexistent(absent));
    }

    function test_setApprovalForAll_logsAndHolds() external inEveryState {
        _setBy(owner, dave, true);
        _setBy(owner, carol, true);
        _setBy(owner, carol, true);
        _setBy(owner, dave, false);
        vm.assertTrue(registry.isApprovedForAll(owner, carol), "the other operator");
        vm.assertTrue(!registry.isApprovedForAll(carol, owner), "the other way round");
    }

    function test_setApprovalForAll_survivesATransfer() external inEveryState {
        _setBy(owner, dave, true);
        _transfer(tokenId, owner, carol);
        _transfer(tokenId, carol, owner);
        vm.prank(dave);
        registry.transferFrom(owner, dave, tokenId);
        vm.assertEq(registry.ownerOf(tokenId), dave, "owner");
    }

    function test_setApprovalForAll_ofSelf() external inEveryState {
        _setBy(owner, owner, true);
        _setBy(owner, owner, false);
        _transfer(tokenId, owner, carol);
    }

    function test_setApprovalForAll_byOneWhoOwnsNothing() external inEveryState {
        _setBy(carol, dave, true);
        _refuse(dave, abi.encodeCall(registry.approve, (dave, tokenId)), _invalidApprover(dave));
    }

    function test_setApprovalForAll_failsForZero() external inEveryState {
        bytes memory failure = abi.encodeWithSignature("ERC721InvalidOperator(address)", address(0));
        _refuse(owner, abi.encodeCall(registry.setApprovalForAll, (address(0), true)), failure);
        _refuse(owner, abi.encodeCall(registry.setApprovalForAll, (address(0), false)), failure);
    }

    function _approveBy(address caller, address to) private {
        vm.recordLogs();
        vm.prank(caller);
        registry.approve(to, tokenId);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1, "events");
        vm.assertEq(logs[0].topics.length, 4, "topics");
        vm.assertEq(logs[0].topics[0], keccak256("Approval(address,address,uint256)"), "event");
        vm.assertEq(logs[0].topics[1], _word(owner), "owner");
        vm.assertEq(logs[0].topics[2], _word(to), "approved");
        vm.assertEq(logs[0].topics[3], bytes32(tokenId), "token");
        vm.assertEq(logs[0].data.length, 0, "data");
        vm.assertEq(registry.getApproved(tokenId), to, "approved");
    }

    function _setBy(address caller, address operator, bool approved) private {
        vm.recordLogs();
        vm.prank(caller);
        registry.setApprovalForAll(operator, approved);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1, "events");
        vm.assertEq(logs[0].topics.length, 3, "topics");
        vm.assertEq(logs[0].topics[0], keccak256("ApprovalForAll(address,address,bool)"), "event");
        vm.assertEq(logs[0].topics[1], _word(caller), "owner");
        vm.assertEq(logs[0].topics[2], _word(operator), "operator");
        vm.assertEq(logs[0].data, abi.encode(approved), "data");
        vm.assertTrue(registry.isApprovedForAll(caller, operator) == approved, "approved");
    }

    function _refuse(address caller, bytes memory data, bytes memory failure) private {
        _demand(caller, address(registry), 0, data, failure);
    }

    function _insufficient(address operator) private view returns (bytes memory) {
        return abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", operator, tokenId);
    }

    function _invalidApprover(address approver) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721InvalidApprover(address)", approver);
    }

    function _nonexistent(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
    }
}
