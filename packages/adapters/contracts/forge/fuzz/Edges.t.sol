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

    function test_list_takesTheHighestPricesAndAllOfThem() external {
        _listAs(LIMIT, LIMIT, LIMIT, 10_000, "");
        (, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps) = marketplace.listingOf(1);
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
    }

    /// @dev The last token of this world stands at the end of more than 8 licences.
    function test_royaltySplitOf_stopsAtTheEighthCreator() external view {
        (address[] memory recipients, uint256[] memory amounts, uint256 rest) =
            marketplace.royaltySplitOf(registry.totalSupply(), LIMIT);
        vm.assertEq(recipients.length, 8, "recipients");
        uint256 sum = rest;
        for (uint256 i = 0; i < amounts.length; ++i) {
            sum += amounts[i];
        }
        vm.assertEq(sum, LIMIT, "all of the price");
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

    function _rent(uint256 numberOfDays, bytes memory failure) private {
        bytes memory data = abi.encodeCall(marketplace.rent, (1, bob, numberOfDays));
        _demand(dave, address(marketplace), numberOfDays, data, failure);
    }
}
