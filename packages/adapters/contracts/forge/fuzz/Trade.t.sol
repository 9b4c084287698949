// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice When `buy`, `rent` and `fork` succeed, how they fail, and where the money goes.
contract TradeFuzzTest is World {
    struct Act {
        uint256 id;
        uint256 price;
        uint256 offer;
        uint256 royaltyBps;
        uint256 caller;
        uint256 recipient;
        uint256 other;
    }

    /// @dev What an act comes to.
    struct Deal {
        uint256 id;
        uint256 price;
        address owner;
        address caller;
        address recipient;
        uint256 offer;
    }

    function test_fuzz_buy(Act memory act) external {
        Deal memory deal = _dealOf(act);
        if (_exists(deal.id)) _list(deal.id, deal.price, 7, 7, 7);
        bytes memory data = abi.encodeCall(marketplace.buy, (deal.id, deal.recipient));
        bytes memory failure = _failure(deal, "ListingNotForSale(uint256)", deal.price);
        if (failure.length == 0 && !_canHold(deal.recipient)) failure = _recipientInvalid(deal.recipient);
        if (!_settled(deal, data, failure)) return;
        vm.assertEq(registry.ownerOf(deal.id), deal.recipient, "owner");
        Vm.Log memory sold = _log(keccak256("Sold(uint256,address,address,address,uint256)"), 1);
        vm.assertEq(sold.topics[1], bytes32(deal.id), "token");
        vm.assertEq(sold.topics[2], _word(deal.owner), "seller");
        vm.assertEq(sold.topics[3], _word(deal.caller), "buyer");
        vm.assertEq(sold.data, abi.encode(deal.recipient, deal.price), "recipient and price");
        (address seller, uint256 price, uint256 rentPerDay, uint256 forkPrice,,,,,) = marketplace.listingOf(deal.id);
        vm.assertTrue(seller == address(0) && price + rentPerDay + forkPrice == 0, "listing");
    }

    function test_fuzz_rent(Act memory act, uint256 numberOfDays, uint256 running) external {
        Deal memory deal = _dealOf(act);
        numberOfDays = numberOfDays % 16 == 0 ? numberOfDays >> 4 : (numberOfDays >> 4) % 368;
        uint256 before = _runFor(deal, running % 4 == 0 ? (running >> 2) % 366 : 0);
        if (_exists(deal.id)) _list(deal.id, 7, deal.price, 7, 7);
        bytes memory failure = _rentFailure(deal, numberOfDays, before);
        uint256 rentPerDay = deal.price;
        bytes memory data = abi.encodeCall(marketplace.rent, (deal.id, deal.recipient, numberOfDays));
        if (numberOfDays > 0 && numberOfDays <= 365) {
            deal.price = rentPerDay * numberOfDays;
            deal.offer = _offer(act.offer, deal.price);
            if (failure.length == 0) failure = _failure(deal, "ListingNotForRent(uint256)", rentPerDay);
            if (failure.length == 0) failure = _tooLong(deal, numberOfDays, before);
        }
        if (!_settled(deal, data, failure)) return;
        uint256 expiresAt = before + numberOfDays * 86_400;
        vm.assertEq(marketplace.rentalExpiry(deal.id, deal.recipient), expiresAt, "expiry");
        Vm.Log memory rented = _log(keccak256("Rented(uint256,address,address,address,uint256,uint256)"), 1);
        vm.assertEq(rented.topics[1], bytes32(deal.id), "token");
        vm.assertEq(rented.topics[2], _word(deal.recipient), "renter");
        vm.assertEq(rented.topics[3], _word(deal.caller), "payer");
        vm.assertEq(rented.data, abi.encode(deal.owner, expiresAt, deal.price), "owner, expiry and price");
    }

    function test_fuzz_fork(Act memory act) external {
        Deal memory deal = _dealOf(act);
        uint256 royaltyBps = act.royaltyBps % 10_001;
        uint256 total = 0;
        if (_exists(deal.id)) {
            _list(deal.id, 7, 7, deal.price, royaltyBps);
            (royaltyBps, total) = _owed(deal.id, royaltyBps);
        }
        uint256 accepted = act.other % 4 == 0 ? act.other : (act.other % 4 == 1 ? total : 10_000);
        bytes memory data = abi.encodeCall(marketplace.fork, (deal.id, deal.recipient, accepted));
        bytes memory failure = _failure(deal, "ListingNotForFork(uint256)", deal.price);
        if (failure.length == 0 && total > accepted) {
            failure =
                abi.encodeWithSignature("ListingRoyaltyChanged(uint256,uint256,uint256)", deal.id, total, accepted);
        }
        if (failure.length == 0 && !_canHold(deal.recipient)) failure = _recipientInvalid(deal.recipient);
        uint256 supply = registry.totalSupply();
        if (!_settled(deal, data, failure)) return vm.assertEq(registry.totalSupply(), supply, "supply");
        uint256 child = supply + 1;
        Vm.Log memory forked = _log(keccak256("Forked(uint256,uint256,address,address,uint256,uint256)"), 1);
        vm.assertEq(forked.topics[1], bytes32(deal.id), "parent");
        vm.assertEq(forked.topics[2], bytes32(child), "token");
        vm.assertEq(forked.topics[3], _word(deal.caller), "forker");
        vm.assertEq(forked.data, abi.encode(deal.recipient, royaltyBps, deal.price), "recipient, royalty, price");
        _requireChild(deal, child, royaltyBps);
    }

    function test_fuzz_trade_failsAfterATransfer(Act memory act, uint256 to) external {
        uint256 id = 1 + act.id % registry.totalSupply();
        address owner = registry.ownerOf(id);
        _list(id, 5, 5, 5, 5);
        _transfer(id, owner, _person(to));
        address target = address(marketplace);
        _demand(
            dave, target, 5, abi.encodeCall(marketplace.buy, (id, dave)), _refusal("ListingNotForSale(uint256)", id)
        );
        _demand(
            dave, target, 5, abi.encodeCall(marketplace.rent, (id, dave, 1)), _refusal("ListingNotForRent(uint256)", id)
        );
        _demand(
            dave, target, 5, abi.encodeCall(marketplace.fork, (id, dave, 5)), _refusal("ListingNotForFork(uint256)", id)
        );
    }

    function _dealOf(Act memory act) private returns (Deal memory deal) {
        deal.id = _id(act.id);
        deal.price = _price(act.price) % 2 ** 80;
        if (_exists(deal.id)) deal.owner = registry.ownerOf(deal.id);
        deal.caller = _person(act.caller);
        deal.recipient = _recipient(act.recipient);
        deal.offer = _offer(act.offer, deal.price);
        vm.recordLogs();
    }

    /// @dev Gives the recipient a rental that runs already, and returns from when a new one counts.
    function _runFor(Deal memory deal, uint256 numberOfDays) private returns (uint256) {
        if (numberOfDays == 0 || !_exists(deal.id) || !_canHold(deal.recipient)) return block.timestamp;
        _list(deal.id, 0, 1, 0, 0);
        vm.deal(dave, numberOfDays);
        _divide(deal.id, deal.owner, numberOfDays);
        vm.prank(dave);
        marketplace.rent{value: numberOfDays}(deal.id, deal.recipient, numberOfDays);
        vm.getRecordedLogs();
        return block.timestamp + numberOfDays * 86_400;
    }

    /// @dev Tells whether it succeeded, having checked every purse.
    function _settled(Deal memory deal, bytes memory data, bytes memory failure) private returns (bool) {
        vm.deal(deal.caller, 0);
        purse[deal.caller] = failure.length == 0 ? 0 : deal.offer;
        if (failure.length == 0) _divide(deal.id, deal.owner, deal.price);
        _demand(deal.caller, address(marketplace), deal.offer, data, failure);
        _requireMoney();
        return failure.length == 0;
    }

    function _requireChild(Deal memory deal, uint256 child, uint256 royaltyBps) private view {
        (
            address creator,
            uint256 timestamp,
            uint256 parent,
            uint256 licence,
            bytes32 hash,,
            address owner,
            uint256 count
        ) = registry.recordOf(child);
        vm.assertEq(creator, deal.caller, "creator");
        vm.assertEq(owner, deal.recipient, "owner");
        vm.assertEq(parent, deal.id, "parent");
        vm.assertEq(licence, royaltyBps + 1, "licence");
        vm.assertEq(timestamp, block.timestamp, "timestamp");
        vm.assertEq(hash, HASH, "content hash");
        vm.assertEq(count, 0, "transfer count");
    }

    function _failure(Deal memory deal, string memory notOffered, uint256 rate) private view returns (bytes memory) {
        if (!_exists(deal.id)) return _tokenNotFound(deal.id);
        if (rate == 0) return _refusal(notOffered, deal.id);
        if (deal.offer == deal.price) return "";
        return abi.encodeWithSignature("ListingPriceChanged(uint256,uint256,uint256)", deal.id, deal.price, deal.offer);
    }

    function _rentFailure(Deal memory deal, uint256 numberOfDays, uint256) private view returns (bytes memory) {
        if (numberOfDays == 0 || numberOfDays > 365) {
            return abi.encodeWithSignature("RentalDurationInvalid(uint256,uint256)", numberOfDays, 365);
        }
        return _canHold(deal.recipient) ? bytes("") : _recipientInvalid(deal.recipient);
    }

    function _tooLong(Deal memory deal, uint256 numberOfDays, uint256 from) private view returns (bytes memory) {
        uint256 expiresAt = from + numberOfDays * 86_400;
        uint256 limit = block.timestamp + 365 * 86_400;
        if (expiresAt <= limit) return "";
        return abi.encodeWithSignature("RentalTooLong(uint256,uint256,uint256)", deal.id, expiresAt, limit);
    }

    function _refusal(string memory signature, uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSignature(signature, id);
    }
}
