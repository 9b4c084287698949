// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    Bystander,
    GoodReceiver,
    GreedyReceiver,
    PassingReceiver,
    ScriptedReceiver
} from "../support/TokenReceivers.sol";
import {Vm, vm} from "../support/Vm.sol";
import {TokenStates} from "./TokenStates.sol";

/// @notice ERC-721, both overloads of `safeTransferFrom`, towards receivers of every kind.
contract SafeTransferTest is TokenStates {
    error Custom(uint256 fact);

    bytes private constant NOTE = "a note of more than thirty-two bytes goes with it";

    function test_safeTransfer_toAccountWithoutCode() external inEveryState {
        _safely(owner, carol, "");
        vm.assertEq(registry.ownerOf(tokenId), carol, "owner");
        owner = carol;
        _safely(owner, dave, NOTE, "");
        vm.assertEq(registry.ownerOf(tokenId), dave, "owner");
    }

    function test_safeTransfer_tellsTheReceiverAll() external inEveryState {
        GoodReceiver receiver = new GoodReceiver();
        vm.prank(owner);
        registry.setApprovalForAll(dave, true);
        _safely(dave, address(receiver), NOTE, "");
        _requireTold(receiver, dave, NOTE);
    }

    function test_safeTransfer_tellsTheReceiverOfNoData() external inEveryState {
        GoodReceiver receiver = new GoodReceiver();
        _safely(owner, address(receiver), "");
        _requireTold(receiver, owner, "");
    }

    function test_safeTransfer_logsOneTransfer() external inEveryState {
        GoodReceiver receiver = new GoodReceiver();
        vm.recordLogs();
        _safely(owner, address(receiver), "");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1, "events");
        vm.assertEq(logs[0].topics[0], keccak256("Transfer(address,address,uint256)"), "event");
        vm.assertEq(logs[0].topics[2], _word(address(receiver)), "to");
    }

    function test_safeTransfer_failsIfReceiverAnswersWrongly() external inEveryState {
        _refuseInvalid(new ScriptedReceiver(abi.encode(bytes4(0x150b7a03)), false));
        _refuseInvalid(new ScriptedReceiver(abi.encode(bytes4(0xffffffff)), false));
        _refuseInvalid(new ScriptedReceiver(abi.encode(bytes4(0)), false));
    }

    function test_safeTransfer_failsIfReceiverHasNoFunction() external inEveryState {
        address bystander = address(new Bystander());
        _refuse(bystander, _invalid(bystander));
    }

    function test_safeTransfer_failsIfReceiverFailsSilently() external inEveryState {
        _refuseInvalid(new ScriptedReceiver("", true));
    }

    function test_safeTransfer_failsWithTheCustomErrorOfTheReceiver() external inEveryState {
        _refuseWith(abi.encodeWithSelector(Custom.selector, 7));
        _refuseWith(abi.encodeWithSelector(Custom.selector));
        _refuseWith(hex"01");
    }

    function test_safeTransfer_failsWithTheStringOfTheReceiver() external inEveryState {
        _refuseWith(abi.encodeWithSignature("Error(string)", "no tokens here, thank you"));
        _refuseWith(abi.encodeWithSignature("Error(string)", ""));
    }

    function test_safeTransfer_failsWithThePanicOfTheReceiver() external inEveryState {
        _refuseWith(abi.encodeWithSignature("Panic(uint256)", 0x11));
    }

    /// @dev An answer that is no `bytes4` is not the magic value, so the standard has the transfer fail.
    function test_safeTransfer_failsIfReceiverAnswersNothing() external inEveryState {
        _refuseInvalid(new ScriptedReceiver("", false));
        _refuseInvalid(new ScriptedReceiver(hex"150b7a02", false));
        _refuseInvalid(new ScriptedReceiver(abi.encode(bytes32(hex"150b7a02ff")), false));
    }

    function test_safeTransfer_isOverBeforeTheReceiverPassesItOn() external inEveryState {
        address receiver = address(new PassingReceiver(dave));
        uint256 balance = registry.balanceOf(owner);
        _safely(owner, receiver, "");
        vm.assertEq(registry.ownerOf(tokenId), dave, "owner");
        vm.assertEq(registry.balanceOf(owner), balance - 1, "balance of the former owner");
        vm.assertEq(registry.balanceOf(receiver), 0, "balance of the receiver");
        vm.assertEq(registry.balanceOf(dave), 1, "balance of the owner");
    }

    function test_safeTransfer_givesAReenteringReceiverNothingMore() external inEveryState {
        GreedyReceiver receiver = new GreedyReceiver();
        vm.prank(owner);
        registry.approve(address(receiver), tokenId);
        _safely(owner, address(receiver), "");
        bytes memory failure =
            abi.encodeWithSignature("ERC721IncorrectOwner(address,uint256,address)", owner, tokenId, address(receiver));
        vm.assertEq(receiver.reason(), failure, "second transfer");
        vm.assertEq(registry.balanceOf(address(receiver)), 1, "balance");
    }

    function test_safeTransfer_failsLikeATransfer() external inEveryState {
        bytes memory stranger = abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", dave, tokenId);
        _safely(dave, carol, stranger);
        _safely(dave, carol, NOTE, stranger);
        _safely(owner, address(0), _invalid(address(0)));
        _safely(owner, address(0), NOTE, _invalid(address(0)));
        tokenId = registry.totalSupply() + 1;
        _safely(owner, carol, NOTE, abi.encodeWithSignature("ERC721NonexistentToken(uint256)", tokenId));
    }

    function _requireTold(GoodReceiver receiver, address operator, bytes memory data) private view {
        vm.assertEq(receiver.operator(), operator, "operator");
        vm.assertEq(receiver.from(), owner, "from");
        vm.assertEq(receiver.tokenId(), tokenId, "token");
        vm.assertEq(receiver.data(), data, "data");
        vm.assertEq(receiver.ownerThen(), address(receiver), "owner when it was told");
    }

    function _refuseInvalid(ScriptedReceiver receiver) private {
        _refuse(address(receiver), _invalid(address(receiver)));
    }

    function _refuseWith(bytes memory reason) private {
        _refuse(address(new ScriptedReceiver(reason, true)), reason);
    }

    function _refuse(address receiver, bytes memory failure) private {
        _safely(owner, receiver, failure);
        _safely(owner, receiver, NOTE, failure);
        vm.assertEq(registry.ownerOf(tokenId), owner, "owner");
    }

    function _safely(address caller, address to, bytes memory failure) private {
        bytes memory data = abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", owner, to, tokenId);
        _demand(caller, address(registry), 0, data, failure);
    }

    function _safely(address caller, address to, bytes memory note, bytes memory failure) private {
        bytes memory data =
            abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", owner, to, tokenId, note);
        _demand(caller, address(registry), 0, data, failure);
    }

    function _invalid(address receiver) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721InvalidReceiver(address)", receiver);
    }
}
