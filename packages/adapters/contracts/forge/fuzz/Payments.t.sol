// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {Vm, vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice Royalties paid on their own, credits taken out, and the views that tell of money and access.
contract PaymentsFuzzTest is World {
    function test_fuzz_payRoyalty(uint256 seed, uint256 payer, uint256 amount) external {
        uint256 id = _id(seed);
        address caller = _person(payer);
        amount = _price(amount) % 2 ** 80;
        bytes memory failure;
        if (amount == 0) failure = abi.encodeWithSignature("RoyaltyZero()");
        else if (!_exists(id)) failure = _tokenNotFound(id);
        purse[caller] = failure.length == 0 ? 0 : amount;
        if (failure.length == 0) _pay(registry.creatorOf(id), amount);
        vm.recordLogs();
        _demand(caller, address(marketplace), amount, abi.encodeCall(marketplace.payRoyalty, (id)), failure);
        _requireMoney();
        if (failure.length > 0) return;
        Vm.Log memory paid = _log(keccak256("RoyaltyPaid(uint256,address,address,uint256)"), 1);
        vm.assertEq(paid.topics[1], bytes32(id), "token");
        vm.assertEq(paid.topics[2], _word(registry.creatorOf(id)), "to");
        vm.assertEq(paid.topics[3], _word(caller), "from");
        vm.assertEq(paid.data, abi.encode(amount), "amount");
    }

    function test_fuzz_payRoyalty_needsGas(uint256 seed, uint256 gasLimit) external {
        uint256 id = _id(seed);
        vm.assume(_exists(id));
        gasLimit = 100_000 + gasLimit % 40_000;
        vm.deal(address(this), 1);
        (bool done, bytes memory reason) =
            address(marketplace).call{value: 1, gas: gasLimit}(abi.encodeCall(marketplace.payRoyalty, (id)));
        vm.assertTrue(!done && bytes4(reason) == bytes4(keccak256("GasTooLow(uint256,uint256)")), "too little gas");
    }

    function test_fuzz_withdraw(uint256 who, uint256 to, uint256 more) external {
        address caller = who % 4 == 0 ? _person(who >> 2) : (who % 4 == 1 ? refusing : hogging);
        address recipient = _recipient(to);
        vm.assume(recipient > address(0xffff) || recipient == address(0));
        more %= 2 ** 80;
        vm.deal(dave, more);
        if (more > 0) _payCreditors(more);
        uint256 amount = credit[caller];
        bytes memory failure;
        if (!_canHold(recipient)) failure = _recipientInvalid(recipient);
        else if (amount == 0) failure = abi.encodeWithSignature("CreditEmpty(address)", caller);
        else if (recipient == refusing) failure = _recipientInvalid(recipient);
        uint256 before = recipient.balance;
        vm.recordLogs();
        _demand(caller, address(marketplace), 0, abi.encodeCall(marketplace.withdraw, (recipient)), failure);
        if (failure.length == 0) {
            Vm.Log memory withdrawn = _log(keccak256("Withdrawn(address,address,uint256)"), 1);
            vm.assertEq(withdrawn.topics[1], _word(caller), "account");
            vm.assertEq(withdrawn.topics[2], _word(recipient), "to");
            vm.assertEq(withdrawn.data, abi.encode(amount), "amount");
            credit[caller] = 0;
            if (recipient == forcing) forced += amount;
            else vm.assertEq(recipient.balance, before + amount, "balance of the recipient");
            if (recipient != forcing) purse[recipient] += amount;
        }
        _requireMoney();
    }

    function test_fuzz_royaltySplitOf(uint256 seed, uint256 price) external {
        uint256 id = _id(seed);
        bytes memory data = abi.encodeCall(marketplace.royaltySplitOf, (id, price));
        bytes memory failure = _exists(id) ? bytes("") : _tokenNotFound(id);
        bytes memory answer = _demand(dave, address(marketplace), 0, data, failure);
        if (failure.length > 0) return;
        (address[] memory recipients, uint256[] memory amounts, uint256 rest) =
            abi.decode(answer, (address[], uint256[], uint256));
        _requireSplit(registry.royaltyLineageOf(id), recipients, amounts, price);
        uint256 sum = rest;
        for (uint256 i = 0; i < amounts.length; ++i) {
            sum += amounts[i];
        }
        vm.assertEq(sum, price, "all of the price and no more");
    }

    function test_fuzz_accessOf(uint256 seed, address account) external {
        uint256 id = _id(seed);
        bytes memory data = abi.encodeCall(marketplace.accessOf, (id, account));
        bytes memory answer = _demand(dave, address(marketplace), 0, data, "");
        bytes memory expected = abi.encode(0, 0, 0, 0, 0, 0, block.timestamp, 0, 0);
        if (_exists(id)) {
            (address creator,, uint256 parent,, bytes32 hash, bytes32 digest, address owner,) = registry.recordOf(id);
            (uint256 source,) = _source(id);
            bytes memory origin = abi.encode(source, registry.creatorOf(source));
            expected = bytes.concat(abi.encode(owner, creator, 0, parent, hash, digest, block.timestamp), origin);
        }
        vm.assertEq(answer, expected, "access");
    }

    function test_fuzz_accessOf_tellsARentalBeforeAndAfterItsEnd(uint256 numberOfDays, uint256 later) external {
        numberOfDays = 1 + numberOfDays % 365;
        uint256 start = block.timestamp;
        _list(1, 0, 1, 0, 0);
        vm.deal(dave, numberOfDays);
        vm.prank(dave);
        marketplace.rent{value: numberOfDays}(1, bob, numberOfDays);
        vm.warp(start + later % (2 * 365 days));
        (,, uint256 expiresAt,,,, uint256 asOf,,) = marketplace.accessOf(1, bob);
        vm.assertEq(expiresAt, start + numberOfDays * 86_400, "expiry");
        vm.assertEq(asOf, block.timestamp, "time of the answer");
        (,, uint256 other,,,,,,) = marketplace.accessOf(1, dave);
        vm.assertEq(other, 0, "the payer is not the renter");
    }

    function _requireSplit(
        IMemoryRegistry.Claim[] memory claims,
        address[] memory recipients,
        uint256[] memory amounts,
        uint256 price
    ) private pure {
        vm.assertEq(recipients.length, claims.length, "one for each claim");
        for (uint256 i = 0; i < claims.length; ++i) {
            vm.assertEq(recipients[i], claims[i].creator, "recipient");
            uint256 share = price / 10_000 * claims[i].royaltyBps;
            share += price % 10_000 * claims[i].royaltyBps / 10_000;
            vm.assertEq(amounts[i], share, "amount, rounded down");
        }
    }

    function _payCreditors(uint256 amount) private {
        vm.prank(dave);
        marketplace.payRoyalty{value: amount}(2);
        _pay(refusing, amount);
    }
}
