// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrders} from "../../src/interfaces/IOrders.sol";
import {Dollars} from "../support/Dollars.sol";
import {PickyDollar} from "../support/PickyDollar.sol";
import {vm} from "../support/Vm.sol";

/// @notice Orders that are placed, paid, settled and refunded by anybody, and what must come of each attempt.
contract OrderHandler is Dollars {
    uint256 private constant TOKENS = 4;

    IOrders.Order[] private placed;
    IOrders.OrderState[] private states;
    uint256[] private carriedOut;
    /// @dev What is at the address of each order.
    uint256[] private held;
    address[] private people;
    mapping(address account => uint256 amount) private purse;
    mapping(address account => uint256 amount) private credit;
    mapping(uint256 tokenId => address seller) private sellers;
    uint256 private made;
    uint256 private clock = 1_800_000_000;
    uint256 private salt;

    constructor() {
        people = [alice, bob, carol, dave];
        for (uint256 i = 0; i < TOKENS; ++i) {
            _mint(people[i]);
            sellers[i + 1] = people[i];
            _listInDollars(i + 1, 100, 10, 50, 1_000);
        }
        // One token that owes royalties.
        _place(2, 1, bob, type(uint256).max, 0);
        _pay(0, 1);
        sellers[TOKENS + 1] = bob;
        _listInDollars(TOKENS + 1, 100, 10, 50, 500);
    }

    modifier onTime() {
        vm.warp(clock);
        _;
    }

    function place(uint256 kind, uint256 token, uint256 recipient, uint256 refundTo, uint256 time) external onTime {
        uint256 deadline = time % 3 == 0 ? clock + time % 5 days : type(uint256).max;
        _place(kind % 4, 1 + token % (TOKENS + 1), people[recipient % 4], deadline, refundTo);
    }

    function list(uint256 token, uint256 price, bool inDollars) external onTime {
        uint256 tokenId = 1 + token % (TOKENS + 1);
        // Mostly the terms that the orders expect.
        price = price % 4 == 0 ? price % 1_000 : 100;
        if (inDollars || price % 2 == 0) _listInDollars(tokenId, price, price / 10, price / 2, price % 1_000);
        else _list(tokenId, price, price / 10, price / 2, 0);
    }

    function block_(uint256 who, bool blocked) external onTime {
        PickyDollar(address(dollar)).setBlocked(people[who % 4], blocked);
    }

    function give(uint256 index, uint256 amount) external onTime {
        amount %= 200;
        index %= placed.length;
        dollar.faucet(_depositOf(placed[index]), amount);
        held[index] += amount;
        made += amount;
    }

    function pay(uint256 index, uint256 key) external onTime {
        _pay(index % placed.length, 1 + key % 4);
    }

    function settle(uint256 index, uint256 key, uint256 value) external onTime {
        index %= placed.length;
        IOrders.Order memory order = placed[index];
        IOrders.Authorization memory signed = none;
        uint256 payer = 1 + key % 4;
        value = value % 3 == 0 ? 0 : value % 3 == 1 ? order.price : value % 200;
        if (value != 0) {
            signed = _authorization(payer, order, value, keccak256(abi.encode(++salt)));
            _endow(vm.addr(payer), value);
        }
        bool expected = marketplace.isOpen(order) && held[index] + value >= order.price;
        // Nobody can be blocked into or out of a payment to the address.
        (bool done,) = address(marketplace).call(abi.encodeCall(marketplace.settle, (order, signed)));
        vm.assertTrue(done == expected, "settled");
        if (!done) return;
        if (value != 0) purse[signed.payer] -= value;
        held[index] = held[index] + value - order.price;
        _carriedOut(index);
        uint256 excess = held[index];
        address to = _refundee(order);
        if (excess == 0 || _isBlocked(to)) return;
        (held[index], purse[to]) = (0, purse[to] + excess);
    }

    function refund(uint256 index, uint256 caller, bool dollars) external onTime {
        index %= placed.length;
        IOrders.Order memory order = placed[index];
        address to = _refundee(order);
        address who = people[caller % 4];
        uint256 amount = dollars ? held[index] : 0;
        bool closes = states[index] == IOrders.OrderState.Open;
        bool allowed = !closes || who == to || clock > order.deadline
            || (!marketplace.isOpen(order) && (!dollars || amount >= order.price));
        bool sends = amount != 0 && !_isBlocked(to);
        bool expected = allowed && (sends || (dollars && closes && who == to && amount == 0));
        vm.prank(who);
        (bool done,) = address(marketplace)
            .call(abi.encodeCall(marketplace.refund, (order, dollars ? address(dollar) : address(0))));
        vm.assertTrue(done == expected, "refunded");
        if (!done) return;
        if (closes) states[index] = IOrders.OrderState.Refunded;
        (held[index], purse[to]) = (0, purse[to] + amount);
    }

    function withdraw(uint256 who, uint256 to, bool pushes) external onTime {
        (address account, address recipient) = (people[who % 4], people[to % 4]);
        if (pushes) recipient = account;
        bytes memory data = pushes
            ? abi.encodeCall(marketplace.withdrawDollarsFor, (account))
            : abi.encodeCall(marketplace.withdrawDollars, (recipient));
        vm.prank(account);
        (bool done,) = address(marketplace).call(data);
        vm.assertTrue(done == (credit[account] != 0 && !_isBlocked(recipient)), "withdrawn");
        if (!done) return;
        (credit[account], purse[recipient]) = (0, purse[recipient] + credit[account]);
    }

    function wait(uint256 time) external {
        clock += time % 2 days;
    }

    function requireOrders() external view {
        for (uint256 i = 0; i < placed.length; ++i) {
            bytes32 orderHash = marketplace.hashOf(placed[i]);
            vm.assertTrue(marketplace.stateOf(orderHash) == states[i], "state");
            vm.assertTrue(carriedOut[i] <= 1, "carried out at most once");
            bool settled = states[i] == IOrders.OrderState.Settled;
            vm.assertTrue((carriedOut[i] == 1) == settled, "settled exactly when carried out");
            vm.assertEq(dollar.balanceOf(marketplace.depositOf(orderHash)), held[i], "deposit");
        }
    }

    function requireDollars() external view {
        uint256 credits = 0;
        uint256 sum = 0;
        for (uint256 i = 0; i < people.length; ++i) {
            address account = people[i];
            vm.assertEq(dollar.balanceOf(account), purse[account], "purse");
            vm.assertEq(marketplace.dollarCreditOf(account), credit[account], "credit");
            (credits, sum) = (credits + credit[account], sum + purse[account]);
        }
        for (uint256 i = 0; i < held.length; ++i) {
            sum += held[i];
        }
        vm.assertEq(dollar.balanceOf(address(marketplace)), credits, "balance of the marketplace");
        vm.assertEq(sum + credits, made, "no dollar is trapped or made");
        vm.assertEq(address(marketplace).balance, 0, "no native coin");
    }

    function _place(uint256 kind, uint256 tokenId, address recipient, uint256 deadline, uint256 refundTo) private {
        uint256 price = [uint256(100), 30, 50, 7][kind];
        placed.push(
            IOrders.Order({
                act: IOrders.Act(kind),
                tokenId: tokenId,
                asset: address(dollar),
                price: price,
                recipient: recipient,
                numberOfDays: 3,
                maxRoyaltyBps: 10_000,
                refundTo: refundTo % 2 == 0 ? address(0) : people[(refundTo >> 1) % 4],
                deadline: deadline,
                salt: bytes32(++salt)
            })
        );
        states.push(IOrders.OrderState.Open);
        carriedOut.push(0);
        held.push(0);
    }

    function _pay(uint256 index, uint256 key) private {
        IOrders.Order memory order = placed[index];
        bool expected = marketplace.isOpen(order);
        address payer = vm.addr(key);
        _endow(payer, order.price);
        bytes memory signature = _payment(key, order);
        (bool done,) = address(marketplace)
            .call(abi.encodeCall(marketplace.payOrder, (order, payer, 0, type(uint256).max, signature)));
        vm.assertTrue(done == expected, "paid");
        if (!done) return;
        purse[payer] -= order.price;
        _carriedOut(index);
    }

    /// @dev Divides the price by the records of the registry.
    function _carriedOut(uint256 index) private {
        IOrders.Order memory order = placed[index];
        states[index] = IOrders.OrderState.Settled;
        ++carriedOut[index];
        if (order.act == IOrders.Act.Royalty) return _earn(registry.creatorOf(order.tokenId), order.price);
        uint256 rest = order.price;
        (,, uint256 parent, uint256 licence,,,,) = registry.recordOf(order.tokenId);
        if (licence != 0) {
            uint256 share = order.price * (licence - 1) / 10_000;
            if (share != 0) _earn(registry.creatorOf(parent), share);
            rest -= share;
        }
        _earn(sellers[order.tokenId], rest);
        if (order.act == IOrders.Act.Buy) sellers[order.tokenId] = order.recipient;
    }

    function _earn(address to, uint256 amount) private {
        if (_isBlocked(to)) credit[to] += amount;
        else purse[to] += amount;
    }

    function _endow(address account, uint256 amount) private {
        bool blocked = _isBlocked(account);
        PickyDollar(address(dollar)).setBlocked(account, false);
        dollar.faucet(account, amount);
        PickyDollar(address(dollar)).setBlocked(account, blocked);
        purse[account] += amount;
        made += amount;
    }

    function _isBlocked(address account) private view returns (bool) {
        return PickyDollar(address(dollar)).isBlocked(account);
    }

    function _refundee(IOrders.Order memory order) private pure returns (address) {
        return order.refundTo == address(0) ? order.recipient : order.refundTo;
    }
}
