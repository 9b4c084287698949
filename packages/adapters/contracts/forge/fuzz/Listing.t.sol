// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice When `list` succeeds, how it fails, and what a listing then reads as.
contract ListingFuzzTest is World {
    struct Offer {
        uint256 id;
        uint256 caller;
        uint256 price;
        uint256 rentPerDay;
        uint256 forkPrice;
        uint256 royaltyBps;
    }

    function test_fuzz_list(Offer memory offer) external {
        uint256 id = _id(offer.id);
        address caller = _exists(id) && offer.caller % 8 != 0 ? registry.ownerOf(id) : _recipient(offer.caller >> 8);
        uint256[4] memory terms = _terms(offer);
        bytes memory failure = _failure(id, caller, terms);
        vm.recordLogs();
        bytes memory data = abi.encodeCall(marketplace.list, (id, terms[0], terms[1], terms[2], terms[3]));
        _demand(caller, address(marketplace), 0, data, failure);
        if (failure.length > 0) return;
        bytes32 signature = keccak256("Listed(uint256,address,uint256,uint256,uint256,uint256)");
        Vm.Log memory listed = _log(signature, 1);
        vm.assertEq(listed.topics[1], bytes32(id), "token");
        vm.assertEq(listed.topics[2], _word(caller), "seller");
        vm.assertEq(listed.data, abi.encode(terms), "terms");
        _requireListing(id, caller, terms);
    }

    function test_fuzz_list_overwrites(Offer memory first, Offer memory second) external {
        (uint256[4] memory before, uint256[4] memory terms) = (_fitting(first), _fitting(second));
        uint256 id = 1 + first.id % registry.totalSupply();
        _list(id, before[0], before[1], before[2], before[3]);
        _list(id, terms[0], terms[1], terms[2], terms[3]);
        _requireListing(id, registry.ownerOf(id), terms);
    }

    function test_fuzz_listing_endsWithATransferForEver(Offer memory offer, uint256 to) external {
        uint256[4] memory terms = _fitting(offer);
        uint256[4] memory nothing;
        uint256 id = 1 + offer.id % registry.totalSupply();
        address owner = registry.ownerOf(id);
        _list(id, terms[0], terms[1], terms[2], terms[3]);
        _transfer(id, owner, _person(to));
        _requireListing(id, address(0), nothing);
        _transfer(id, _person(to), owner);
        _requireListing(id, address(0), nothing);
    }

    function test_fuzz_listing_isOfOneToken(Offer memory offer, uint256 other) external {
        uint256[4] memory terms = _fitting(offer);
        uint256 id = 1 + offer.id % registry.totalSupply();
        uint256 otherId = 1 + other % registry.totalSupply();
        vm.assume(id != otherId);
        bytes32 before = keccak256(_read(otherId));
        _list(id, terms[0], terms[1], terms[2], terms[3]);
        vm.assertEq(keccak256(_read(otherId)), before, "the other listing");
    }

    function test_fuzz_listingOf(uint256 id) external {
        id = _id(id);
        bytes memory failure = _exists(id) ? bytes("") : _tokenNotFound(id);
        _demand(dave, address(marketplace), 0, abi.encodeCall(marketplace.listingOf, (id)), failure);
    }

    function _failure(uint256 id, address caller, uint256[4] memory terms) private view returns (bytes memory) {
        if (!_exists(id)) return _tokenNotFound(id);
        address owner = registry.ownerOf(id);
        if (caller != owner) {
            return abi.encodeWithSignature("ListingNotOwner(uint256,address,address)", id, owner, caller);
        }
        for (uint256 i = 0; i < 3; ++i) {
            if (terms[i] >= 2 ** 80) {
                return abi.encodeWithSignature("ListingPriceTooHigh(uint256,uint256)", terms[i], 2 ** 80 - 1);
            }
        }
        if (terms[3] <= 10_000) return "";
        return abi.encodeWithSignature("RoyaltyShareTooHigh(uint256,uint256)", terms[3], 10_000);
    }

    function _terms(Offer memory offer) private pure returns (uint256[4] memory) {
        uint256 royaltyBps = offer.royaltyBps % 8 == 0 ? offer.royaltyBps >> 3 : (offer.royaltyBps >> 3) % 10_002;
        return [_price(offer.price), _price(offer.rentPerDay), _price(offer.forkPrice), royaltyBps];
    }

    function _fitting(Offer memory offer) private pure returns (uint256[4] memory terms) {
        terms = _terms(offer);
        for (uint256 i = 0; i < 3; ++i) {
            terms[i] %= 2 ** 80;
        }
        terms[3] %= 10_001;
    }

    function _requireListing(uint256 id, address seller, uint256[4] memory terms) private view {
        if (terms[0] | terms[1] | terms[2] | terms[3] == 0) seller = address(0);
        (uint256 effective, uint256 total) = _owed(id, terms[3]);
        vm.assertEq(_read(id), abi.encode(seller, terms, effective, total, true, address(0)), "listing");
    }

    function _read(uint256 id) private view returns (bytes memory) {
        (, bytes memory listing) = address(marketplace).staticcall(abi.encodeCall(marketplace.listingOf, (id)));
        return listing;
    }
}
