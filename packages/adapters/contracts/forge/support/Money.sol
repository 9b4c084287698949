// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    ForcingReceiver,
    GasHoggingReceiver,
    ReentrantReceiver,
    RefusingReceiver,
    ReturnBombingReceiver
} from "./MoneyReceivers.sol";
import {Scene} from "./Scene.sol";
import {vm} from "./Vm.sol";

/// @notice What every account should own, kept beside the chain and divided by arithmetic of its own.
abstract contract Money is Scene {
    address internal immutable refusing = address(new RefusingReceiver());
    address internal immutable hogging = address(new GasHoggingReceiver());
    address internal immutable bombing = address(new ReturnBombingReceiver());
    ReentrantReceiver internal immutable reentrant = new ReentrantReceiver();
    address internal immutable forcing = address(new ForcingReceiver(address(marketplace)));

    address[] internal people;
    mapping(address account => uint256 amount) internal purse;
    mapping(address account => uint256 amount) internal credit;
    /// @dev What the marketplace owns beyond its credits, since nobody can refuse wei that is forced upon it.
    uint256 internal forced;

    constructor() {
        people = [alice, bob, carol, dave, refusing, hogging, bombing, address(reentrant), forcing];
    }

    function _fund(address account, uint256 amount) internal {
        purse[account] += amount;
        vm.deal(account, account.balance + amount);
    }

    /// @dev The price of a token: each licence above takes its share of all of it, and the seller what is left.
    function _divide(uint256 tokenId, address seller, uint256 price) internal {
        uint256 rest = price;
        (uint256 parent, uint256 licence) = _above(tokenId);
        while (licence != 0) {
            uint256 share = price * (licence - 1) / 10_000;
            _pay(registry.creatorOf(parent), share);
            rest -= share;
            (parent, licence) = _above(parent);
        }
        _pay(seller, rest);
    }

    /// @dev What a fork of a token would newly owe, and what in all.
    function _owed(uint256 tokenId, uint256 royaltyBps) internal view returns (uint256 effective, uint256 total) {
        uint256 claims = 0;
        (uint256 parent, uint256 licence) = _above(tokenId);
        while (licence != 0) {
            if (licence > 1) ++claims;
            total += licence - 1;
            (parent, licence) = _above(parent);
        }
        if (claims == 8) return (0, total);
        effective = total + royaltyBps > 10_000 ? 10_000 - total : royaltyBps;
        total += effective;
    }

    /// @dev The snapshot at the end of the licences of a token, and how many there are.
    function _source(uint256 tokenId) internal view returns (uint256 source, uint256 depth) {
        source = tokenId;
        (uint256 parent, uint256 licence) = _above(tokenId);
        while (licence != 0) {
            (source, depth) = (parent, depth + 1);
            (parent, licence) = _above(parent);
        }
    }

    function _above(uint256 tokenId) internal view returns (uint256 parent, uint256 licence) {
        (,, parent, licence,,,,) = registry.recordOf(tokenId);
    }

    function _pay(address to, uint256 amount) internal {
        if (to == refusing || to == hogging) credit[to] += amount;
        else if (to == forcing) forced += amount;
        else purse[to] += amount;
    }

    function _requireMoney() internal view {
        uint256 credits = 0;
        for (uint256 i = 0; i < people.length; ++i) {
            address account = people[i];
            vm.assertEq(account.balance, purse[account], "purse");
            vm.assertEq(marketplace.creditOf(account), credit[account], "credit");
            credits += credit[account];
        }
        vm.assertEq(address(marketplace).balance, credits + forced, "balance of the marketplace");
        vm.assertEq(address(registry).balance, 0, "balance of the registry");
        vm.assertTrue(!reentrant.entered(), "nobody came back in");
    }
}
