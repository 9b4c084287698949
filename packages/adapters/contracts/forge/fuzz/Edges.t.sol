// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice Both sides of every limit, which random arguments only come near.
contract EdgesTest is World {
    function test_mint_failsForItselfAsItsParent() external {
        uint256 next = registry.totalSupply() + 1;
        _mintFrom(next, _tokenNotFound(next));
        _mintFrom(next - 1, "");
    }

    function test_mintBatch_failsForALaterItemAsParent() external {
        uint256 next = registry.totalSupply() + 1;
        _mintPair(next + 1, _tokenNotFound(next + 1));
        _mintPair(next + 2, _tokenNotFound(next + 2));
        _mintPair(next, "");
    }

    function test_forwarder_cannotHoldOrRent() external {
        address to = address(forwarder);
        bytes memory failure = _recipientInvalid(to);
        _demand(dave, address(registry), 0, abi.encodeCall(registry.mint, (to, HASH, DIGEST, 0)), failure);
        _listAs(1, 1, 1, 0, "");
        _demand(dave, address(marketplace), 1, abi.encodeCall(marketplace.buy, (1, to)), failure);
        _demand(dave, address(marketplace), 1, abi.encodeCall(marketplace.rent, (1, to, 1)), failure);
        _demand(dave, address(marketplace), 1, abi.encodeCall(marketplace.fork, (1, to, 0)), failure);
        failure = abi.encodeWithSignature("ERC721InvalidReceiver(address)", to);
        _demand(alice, address(registry), 0, abi.encodeCall(registry.transferFrom, (alice, to, 1)), failure);
    }

    function test_list_takesTheHighestPricesAndAllOfThem() external {
        _listAs(LIMIT, LIMIT, LIMIT, 10_000, "");
        (, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps,,,,) = marketplace.listingOf(1);
        vm.assertTrue(price == LIMIT && rentPerDay == LIMIT && forkPrice == LIMIT, "prices");
        vm.assertEq(royaltyBps, 10_000, "royalty");
        bytes memory tooHigh =
            abi.encodeWithSignature("ListingPriceTooHigh(uint256,uint256)", uint256(2 ** 80), uint256(2 ** 80 - 1));
        _listAs(2 ** 80, 0, 0, 0, tooHigh);
        _listAs(0, 2 ** 80, 0, 0, tooHigh);
        _listAs(0, 0, 2 ** 80, 0, tooHigh);
        _listAs(0, 0, 0, 10_001, abi.encodeWithSignature("RoyaltyShareTooHigh(uint256,uint256)", 10_001, 10_000));
    }

    function test_rent_reachesExactly365DaysAhead() external {
        _listAs(0, 1, 0, 0, "");
        uint256 limit = block.timestamp + 365 days;
        _rent(365, "");
        vm.assertEq(marketplace.rentalExpiry(1, bob), limit, "expiry");
        _rent(1, abi.encodeWithSignature("RentalTooLong(uint256,uint256,uint256)", 1, limit + 1 days, limit));
        vm.warp(block.timestamp + 1 days - 1);
        _rent(
            1, abi.encodeWithSignature("RentalTooLong(uint256,uint256,uint256)", 1, limit + 1 days, limit + 1 days - 1)
        );
        vm.warp(block.timestamp + 1);
        _rent(1, "");
        vm.assertEq(marketplace.rentalExpiry(1, bob), limit + 1 days, "renewed expiry");
    }

    function test_fork_acceptsARoyaltyOfExactlyTheHighest() external {
        _listAs(0, 0, 1, 700, "");
        bytes memory failure = abi.encodeWithSignature("ListingRoyaltyChanged(uint256,uint256,uint256)", 1, 700, 699);
        _demand(dave, address(marketplace), 1, abi.encodeCall(marketplace.fork, (1, dave, 699)), failure);
        _demand(dave, address(marketplace), 1, abi.encodeCall(marketplace.fork, (1, dave, 700)), "");
        uint256 child = registry.totalSupply();
        _list(child, 0, 0, 1, 300);
        failure = abi.encodeWithSignature("ListingRoyaltyChanged(uint256,uint256,uint256)", child, 1_000, 999);
        _demand(bob, address(marketplace), 1, abi.encodeCall(marketplace.fork, (child, bob, 999)), failure);
        _demand(bob, address(marketplace), 1, abi.encodeCall(marketplace.fork, (child, bob, 1_000)), "");
    }

    function test_fork_endsAt64Forks() external {
        uint256 id = 1;
        for (uint256 depth = 0; depth < 64; ++depth) {
            vm.assertTrue(_canBeForked(id), "can be forked");
            _list(id, 0, 0, 1, 1);
            id = _fork(id, 1, depth % 2 == 0 ? bob : carol);
        }
        (uint256 source, address creator, uint256 deepest) = registry.sourceOf(id);
        vm.assertTrue(source == 1 && creator == alice && deepest == 64, "source");
        vm.assertTrue(!_canBeForked(id), "cannot be forked");
        _list(id, 0, 0, 1, 1);
        vm.assertTrue(!_canBeForked(id), "cannot be forked, whatever is offered");
        bytes memory failure = abi.encodeWithSignature("LineageTooDeep(uint256,uint256)", id, 64);
        _demand(dave, address(marketplace), 1, abi.encodeCall(marketplace.fork, (id, dave, 10_000)), failure);
    }

    /// @dev The last token of this world stands at the end of more than 8 licences, of which one is of nothing.
    function test_royaltySplitOf_isOfTheEightOldest() external view {
        uint256 last = registry.totalSupply();
        (address[] memory recipients, uint256[] memory amounts, uint256 rest) = marketplace.royaltySplitOf(last, LIMIT);
        vm.assertEq(recipients.length, 8, "recipients");
        (uint256 source,) = _source(last);
        vm.assertEq(recipients[0], registry.creatorOf(source), "the oldest first");
        vm.assertEq(amounts[0], LIMIT * 999 / 10_000, "its share of all of the price");
        uint256 sum = rest;
        for (uint256 i = 0; i < amounts.length; ++i) {
            sum += amounts[i];
        }
        vm.assertEq(sum, LIMIT, "all of the price");
    }

    function test_mint_keepsTheCreatorOnAChainOfAnyClock() external {
        uint256[3] memory times = [uint256(2 ** 40 - 1), 1_900_000_000_000, 2 ** 60];
        for (uint256 i = 0; i < times.length; ++i) {
            vm.warp(times[i]);
            for (uint256 seed = 1; seed < 5; ++seed) {
                address who = vm.addr(seed);
                uint256 id = _mint(who);
                (address creator, uint256 timestamp,,,,, address owner,) = registry.recordOf(id);
                vm.assertTrue(creator == who && owner == who, "creator and owner");
                vm.assertEq(timestamp, times[i] % 2 ** 40, "the low bits of the time");
            }
        }
    }

    function _mintFrom(uint256 parent, bytes memory failure) private {
        _demand(dave, address(registry), 0, abi.encodeCall(registry.mint, (dave, HASH, DIGEST, parent)), failure);
    }

    /// @dev The first item has no parent, the second the one given.
    function _mintPair(uint256 parent, bytes memory failure) private {
        IMemoryRegistry.Item[] memory items = new IMemoryRegistry.Item[](2);
        items[0] = IMemoryRegistry.Item(dave, HASH, DIGEST, 0);
        items[1] = IMemoryRegistry.Item(dave, HASH, DIGEST, parent);
        _demand(dave, address(registry), 0, abi.encodeCall(registry.mintBatch, (items)), failure);
    }

    function _listAs(uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 bps, bytes memory failure) private {
        bytes memory data = abi.encodeCall(marketplace.list, (1, price, rentPerDay, forkPrice, bps));
        _demand(registry.ownerOf(1), address(marketplace), 0, data, failure);
    }

    function _canBeForked(uint256 id) private view returns (bool canBeForked) {
        (,,,,,,, canBeForked,) = marketplace.listingOf(id);
    }

    function _rent(uint256 numberOfDays, bytes memory failure) private {
        bytes memory data = abi.encodeCall(marketplace.rent, (1, bob, numberOfDays));
        _demand(dave, address(marketplace), numberOfDays, data, failure);
    }
}
