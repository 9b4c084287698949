// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "../support/Vm.sol";
import {TokenStates} from "./TokenStates.sol";

/// @notice ERC-721, `transferFrom`, from the text of the standard and of ERC-6093.
contract TransferTest is TokenStates {
    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");

    function test_transfer_byOwner() external inEveryState {
        _transferBy(owner, carol);
    }

    function test_transfer_byApproved() external inEveryState {
        vm.prank(owner);
        registry.approve(dave, tokenId);
        _transferBy(dave, carol);
    }

    function test_transfer_byOperator() external inEveryState {
        vm.prank(owner);
        registry.setApprovalForAll(dave, true);
        _transferBy(dave, carol);
    }

    function test_transfer_toTheOneWhoMovesIt() external inEveryState {
        vm.prank(owner);
        registry.approve(dave, tokenId);
        _transferBy(dave, dave);
    }

    function test_transfer_toItsOwner() external inEveryState {
        uint256 balance = registry.balanceOf(owner);
        vm.prank(owner);
        registry.approve(dave, tokenId);
        vm.recordLogs();
        _transfer(tokenId, owner, owner);
        _requireTransferLogged(owner, owner);
        vm.assertEq(registry.ownerOf(tokenId), owner, "owner");
        vm.assertEq(registry.balanceOf(owner), balance, "balance");
        vm.assertEq(registry.getApproved(tokenId), address(0), "approved");
    }

    function test_transfer_andBackByTheNewOwner() external inEveryState {
        _transferBy(owner, carol);
        address first = owner;
        owner = carol;
        _transferBy(carol, first);
    }

    function test_transfer_failsByStranger() external inEveryState {
        _refuse(dave, owner, carol, tokenId, _insufficient(dave));
    }

    function test_transfer_failsByFormerOwner() external inEveryState {
        _transfer(tokenId, owner, carol);
        _refuse(owner, carol, owner, tokenId, _insufficient(owner));
    }

    function test_transfer_failsByFormerApproved() external inEveryState {
        vm.prank(owner);
        registry.approve(dave, tokenId);
        _transfer(tokenId, owner, carol);
        _refuse(dave, carol, dave, tokenId, _insufficient(dave));
    }

    function test_transfer_failsByApprovedOfAnEarlierTime() external inEveryState {
        vm.prank(owner);
        registry.approve(dave, tokenId);
        _transfer(tokenId, owner, carol);
        _transfer(tokenId, carol, owner);
        _refuse(dave, owner, dave, tokenId, _insufficient(dave));
    }

    function test_transfer_failsByFormerOperator() external inEveryState {
        vm.startPrank(owner);
        registry.setApprovalForAll(dave, true);
        registry.setApprovalForAll(dave, false);
        vm.stopPrank();
        _refuse(dave, owner, carol, tokenId, _insufficient(dave));
    }

    function test_transfer_failsByOperatorOfAnotherOwner() external inEveryState {
        vm.prank(carol);
        registry.setApprovalForAll(dave, true);
        _refuse(dave, owner, carol, tokenId, _insufficient(dave));
        _refuse(dave, carol, dave, tokenId, _insufficient(dave));
    }

    function test_transfer_failsByMarketplaceWithoutSale() external inEveryState {
        _refuse(address(marketplace), owner, carol, tokenId, _insufficient(address(marketplace)));
    }

    function test_transfer_failsFromAnother() external inEveryState {
        bytes memory failure =
            abi.encodeWithSignature("ERC721IncorrectOwner(address,uint256,address)", carol, tokenId, owner);
        _refuse(owner, carol, dave, tokenId, failure);
    }

    function test_transfer_failsToZero() external inEveryState {
        _refuse(owner, owner, address(0), tokenId, _invalid(address(0)));
    }

    function test_transfer_failsToThePair() external inEveryState {
        _refuse(owner, owner, address(registry), tokenId, _invalid(address(registry)));
        _refuse(owner, owner, address(marketplace), tokenId, _invalid(address(marketplace)));
    }

    function test_transfer_failsForNoToken() external inEveryState {
        uint256 absent = registry.totalSupply() + 1;
        _refuse(owner, owner, carol, absent, _nonexistent(absent));
        _refuse(owner, address(0), carol, absent, _nonexistent(absent));
        _refuse(owner, owner, carol, 0, _nonexistent(0));
        _refuse(owner, owner, carol, type(uint256).max, _nonexistent(type(uint256).max));
    }

    function _transferBy(address caller, address to) private {
        uint256 before = registry.balanceOf(owner);
        uint256 beforeTo = registry.balanceOf(to);
        vm.recordLogs();
        vm.prank(caller);
        registry.transferFrom(owner, to, tokenId);
        _requireTransferLogged(owner, to);
        vm.assertEq(registry.ownerOf(tokenId), to, "new owner");
        vm.assertEq(registry.balanceOf(owner), before - 1, "balance of the former owner");
        vm.assertEq(registry.balanceOf(to), beforeTo + 1, "balance of the new owner");
        vm.assertEq(registry.getApproved(tokenId), address(0), "approved");
    }

    function _refuse(address caller, address from, address to, uint256 id, bytes memory failure) private {
        _demand(caller, address(registry), 0, abi.encodeCall(registry.transferFrom, (from, to, id)), failure);
        vm.assertTrue(registry.balanceOf(owner) > 0 || registry.ownerOf(tokenId) == carol, "nothing moved");
    }

    /// @dev Exactly one event, and all of it indexed.
    function _requireTransferLogged(address from, address to) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1, "events");
        vm.assertEq(logs[0].emitter, address(registry), "emitter");
        vm.assertEq(logs[0].topics.length, 4, "topics");
        vm.assertEq(logs[0].topics[0], TRANSFER, "event");
        vm.assertEq(logs[0].topics[1], _word(from), "from");
        vm.assertEq(logs[0].topics[2], _word(to), "to");
        vm.assertEq(logs[0].topics[3], bytes32(tokenId), "token");
        vm.assertEq(logs[0].data.length, 0, "data");
    }

    function _insufficient(address operator) private view returns (bytes memory) {
        return abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", operator, tokenId);
    }

    function _invalid(address receiver) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721InvalidReceiver(address)", receiver);
    }

    function _nonexistent(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
    }
}
