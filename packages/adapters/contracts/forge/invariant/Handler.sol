// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {vm} from "../support/Vm.sol";
import {Ghost} from "./Ghost.sol";

/// @notice Acts that must succeed, each by somebody for somebody, each remembered.
abstract contract Handler is Ghost {
    modifier onTime() {
        vm.warp(clock);
        if (supply == 0) _mintRoot(alice, bob, 0, 1);
        _;
        vm.stopPrank();
    }

    function mint(uint256 caller, uint256 recipient, uint256 parent, uint256 seed) external onTime {
        _mintRoot(_who(caller), _who(recipient), parent % (supply + 1), seed);
    }

    function mintBatch(uint256 caller, uint256 recipient, uint256 size, uint256 seed) external onTime {
        IMemoryRegistry.Item[] memory items = new IMemoryRegistry.Item[](1 + size % 4);
        uint256 first = supply + 1;
        for (uint256 i = 0; i < items.length; ++i) {
            uint256 parent = (seed >> i) % (supply + 1);
            items[i] = IMemoryRegistry.Item(_who(recipient >> i), _hash(seed), bytes32(seed), parent);
            _remember(_who(caller), items[i].recipient, parent, 0, items[i].contentHash, items[i].digest);
        }
        vm.startPrank(_who(caller));
        vm.assertEq(registry.mintBatch(items), first, "first token");
    }

    function transfer(uint256 token, uint256 to) external onTime {
        uint256 id = _token(token);
        vm.startPrank(facts[id].owner);
        registry.transferFrom(facts[id].owner, _who(to), id);
        _move(id, _who(to));
    }

    function transferByAnother(uint256 token, uint256 by, uint256 to, bool operator) external onTime {
        (uint256 id, address owner, address mover) = (_token(token), facts[_token(token)].owner, _who(by));
        vm.startPrank(owner);
        if (operator) registry.setApprovalForAll(mover, true);
        else registry.approve(mover, id);
        vm.stopPrank();
        vm.startPrank(mover);
        registry.transferFrom(owner, _who(to), id);
        vm.stopPrank();
        vm.startPrank(owner);
        if (operator) registry.setApprovalForAll(mover, false);
        _move(id, _who(to));
    }

    function list(uint256 token, uint80 price, uint80 rentPerDay, uint80 forkPrice, uint256 royaltyBps)
        external
        onTime
    {
        _offer(_token(token), Offer(address(0), price, rentPerDay, forkPrice, royaltyBps % 10_001));
    }

    function takeDown(uint256 token) external onTime {
        _offer(_token(token), Offer(address(0), 0, 0, 0, 0));
    }

    function buy(uint256 token, uint256 buyer, uint256 recipient, uint80 price) external onTime {
        uint256 id = _token(token);
        if (offers[id].price == 0) _offer(id, Offer(address(0), 1 + uint256(price) / 2, price, price, price % 10_001));
        uint256 paid = offers[id].price;
        address seller = facts[id].owner;
        _endow(_who(buyer), paid);
        vm.startPrank(_who(buyer));
        marketplace.buy{value: paid}(id, _who(recipient));
        _spend(_who(buyer), paid);
        _divide(id, seller, paid);
        _move(id, _who(recipient));
    }

    function rent(uint256 token, uint256 payer, uint256 renter, uint256 numberOfDays, uint80 price) external onTime {
        uint256 id = _token(token);
        address who = _who(renter);
        if (offers[id].rentPerDay == 0) _offer(id, Offer(address(0), price, 1 + uint256(price) / 2, 0, 0));
        uint256 from = expiries[id][who] < clock ? clock : expiries[id][who];
        if (clock + 364 days < from) vm.warp(clock += 1 days);
        if (from < clock) from = clock;
        numberOfDays = 1 + numberOfDays % ((clock + 365 days - from) / 1 days);
        uint256 paid = offers[id].rentPerDay * numberOfDays;
        _endow(_who(payer), paid);
        vm.startPrank(_who(payer));
        expiries[id][who] = marketplace.rent{value: paid}(id, who, numberOfDays);
        vm.assertEq(expiries[id][who], from + numberOfDays * 1 days, "expiry");
        _spend(_who(payer), paid);
        _divide(id, facts[id].owner, paid);
        rentals.push(Rental(id, who));
    }

    /// @dev Half of the forks are of the newest token, so that lineages grow long.
    function fork(uint256 token, uint256 forker, uint256 recipient, uint80 price) external onTime {
        uint256 id = token % 2 == 0 ? supply : _token(token >> 1);
        if (offers[id].forkPrice == 0) {
            _offer(id, Offer(address(0), price, 0, 1 + uint256(price) / 2, price % 3_000));
        }
        Offer memory offer = offers[id];
        (uint256 effective, uint256 total) = _owed(id, offer.royaltyBps);
        _endow(_who(forker), offer.forkPrice);
        vm.startPrank(_who(forker));
        marketplace.fork{value: offer.forkPrice}(id, _who(recipient), total);
        _spend(_who(forker), offer.forkPrice);
        _divide(id, facts[id].owner, offer.forkPrice);
        Fact memory source = facts[id];
        _remember(_who(forker), _who(recipient), id, effective + 1, source.contentHash, source.digest);
        ++forksPaid;
    }

    function payRoyalty(uint256 token, uint256 payer, uint80 amount) external onTime {
        uint256 id = _token(token);
        uint256 paid = 1 + uint256(amount);
        _endow(_who(payer), paid);
        vm.startPrank(_who(payer));
        marketplace.payRoyalty{value: paid}(id);
        _spend(_who(payer), paid);
        _pay(facts[id].creator, paid);
    }

    function withdraw(bool hogs, uint256 to) external onTime {
        (address who, address recipient) = (hogs ? hogging : refusing, _who(to));
        if (recipient == refusing) recipient = alice;
        if (credit[who] == 0) _oweTo(who);
        vm.startPrank(who);
        marketplace.withdraw(recipient);
        if (recipient == forcing) forced += credit[who];
        else purse[recipient] += credit[who];
        credit[who] = 0;
    }

    function force(uint80 amount) external onTime {
        _endow(alice, amount);
        vm.startPrank(alice);
        (bool done,) = forcing.call{value: amount}("");
        vm.assertTrue(done, "forced");
        _spend(alice, amount);
        forced += amount;
    }

    function wait(uint256 time) external {
        clock += time % 60 days;
        vm.warp(clock);
    }

    function _mintRoot(address creator, address recipient, uint256 parent, uint256 seed) private {
        _remember(creator, recipient, parent, 0, _hash(seed), bytes32(seed));
        vm.prank(creator);
        vm.assertEq(registry.mint(recipient, _hash(seed), bytes32(seed), parent), supply, "token");
    }

    function _oweTo(address who) private {
        _mintRoot(who, who, 0, 1);
        _endow(alice, 1000);
        vm.prank(alice);
        marketplace.payRoyalty{value: 1000}(supply);
        _spend(alice, 1000);
        credit[who] += 1000;
    }

    function _offer(uint256 id, Offer memory offer) internal {
        bool empty = (offer.price | offer.rentPerDay | offer.forkPrice | offer.royaltyBps) == 0;
        offer.seller = empty ? address(0) : facts[id].owner;
        vm.prank(facts[id].owner);
        marketplace.list(id, offer.price, offer.rentPerDay, offer.forkPrice, offer.royaltyBps);
        offers[id] = offer;
    }

    function _who(uint256 seed) internal view returns (address) {
        return people[seed % people.length];
    }

    function _token(uint256 seed) internal view returns (uint256) {
        return 1 + seed % supply;
    }

    function _hash(uint256 seed) internal pure returns (bytes32) {
        return keccak256(abi.encode(seed));
    }
}
