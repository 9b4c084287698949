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

    /// @dev The price of a token: each holder keeps what the licence above does not take.
    function _divide(uint256 tokenId, address seller, uint256 price) internal {
        (address holder, uint256 amount) = (seller, price);
        for (uint256 level = 0; level < 8; ++level) {
            (,, uint256 parent, uint256 licence,,,,) = registry.recordOf(tokenId);
            if (licence == 0) break;
            uint256 share = amount * (licence - 1) / 10_000;
            _pay(holder, amount - share);
            (holder, amount, tokenId) = (registry.creatorOf(parent), share, parent);
        }
        _pay(holder, amount);
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
