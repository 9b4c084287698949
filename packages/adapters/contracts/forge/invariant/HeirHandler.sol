// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Scene} from "../support/Scene.sol";
import {vm} from "../support/Vm.sol";

/// @notice Accounts that live, fall silent and are inherited from, and what must come of each attempt.
contract HeirHandler is Scene {
    struct Plan {
        address heir;
        uint256 silence;
        uint256 notice;
        uint256 lastSign;
        uint256 announcedAt;
    }

    address[] private people;
    mapping(address account => Plan plan) private plans;
    mapping(uint256 tokenId => address owner) private owners;
    mapping(uint256 tokenId => uint256 expiresAt) private rentals;
    uint256 private supply;
    uint256 private clock = 1_800_000_000;

    constructor() {
        people = [alice, bob, carol, dave];
        vm.warp(clock);
        for (uint256 i = 0; i < 8; ++i) {
            _made(people[i % 4], people[i % 4]);
        }
    }

    modifier onTime() {
        vm.warp(clock);
        _;
    }

    function nameHeir(uint256 who, uint256 heir, uint256 silence, uint256 notice) external onTime {
        (address account, address named) = (people[who % 4], people[heir % 4]);
        (silence, notice) = (28 + silence % 40, 28 + notice % 40);
        if (heir % 5 == 0) (named, silence, notice) = (address(0), 0, 0);
        bool fits = named != account && silence > 29 && notice > 29;
        bool done = _try(account, abi.encodeCall(registry.nameHeir, (named, silence, notice)));
        vm.assertTrue(done == (fits || named == address(0)), "named");
        if (done) plans[account] = Plan(named, silence, notice, clock, 0);
    }

    function heartbeat(uint256 who) external onTime {
        if (who % 3 != 0) return;
        vm.assertTrue(_try(people[(who >> 2) % 4], abi.encodeCall(registry.heartbeat, ())), "heartbeat");
        _lives(people[(who >> 2) % 4]);
    }

    function mint(uint256 by, uint256 to) external onTime {
        if (by % 3 == 0) _made(people[(by >> 2) % 4], people[to % 4]);
    }

    /// @dev By the owner, or by an operator of it, which is no sign of its life.
    function transfer(uint256 token, uint256 to, bool operated) external onTime {
        uint256 tokenId = 1 + token % supply;
        address owner = owners[tokenId];
        vm.prank(owner);
        registry.setApprovalForAll(address(this), operated);
        address by = operated ? address(this) : owner;
        bytes memory data = abi.encodeCall(registry.transferFrom, (owner, people[to % 4], tokenId));
        vm.assertTrue(_try(by, data), "transferred");
        if (!operated) _lives(owner);
        owners[tokenId] = people[to % 4];
        vm.prank(owner);
        registry.setApprovalForAll(address(this), false);
    }

    /// @dev What others do with the tokens of an account is no sign of its life.
    function trade(uint256 token, uint256 by, bool buys) external onTime {
        uint256 tokenId = 1 + token % supply;
        address buyer = people[by % 4];
        _list(tokenId, 5, 1, 1, 0);
        vm.deal(buyer, 7);
        vm.startPrank(buyer);
        if (rentals[tokenId] < clock) {
            marketplace.rent{value: 1}(tokenId, address(this), 1);
            rentals[tokenId] = clock + 1 days;
        }
        marketplace.fork{value: 1}(tokenId, buyer, 0);
        owners[++supply] = buyer;
        if (buys) marketplace.buy{value: 5}(tokenId, buyer);
        if (buys) owners[tokenId] = buyer;
        vm.stopPrank();
    }

    function announce(uint256 who, uint256 by) external onTime {
        address account = people[who % 4];
        Plan storage plan = plans[account];
        address caller = by % 3 == 0 ? people[by % 4] : plan.heir;
        if (caller == address(0)) caller = people[by % 4];
        bool silent = clock >= plan.lastSign + plan.silence * 1 days;
        bool expected = caller == plan.heir && silent && plan.announcedAt == 0;
        vm.assertTrue(_try(caller, abi.encodeCall(registry.announceTakeover, (account))) == expected, "announced");
        if (expected) plan.announcedAt = clock;
    }

    function takeOver(uint256 who, uint256 by, uint256 token) external onTime {
        address account = people[who % 4];
        Plan memory plan = plans[account];
        address caller = by % 3 == 0 ? people[by % 4] : plan.heir;
        if (caller == address(0)) caller = people[by % 4];
        uint256[] memory tokenIds = new uint256[](1);
        tokenIds[0] = 1 + token % supply;
        for (uint256 i = 0; i < supply && owners[tokenIds[0]] != account && token % 4 != 0; ++i) {
            tokenIds[0] = 1 + tokenIds[0] % supply;
        }
        bool ripe = plan.announcedAt != 0 && clock >= plan.announcedAt + plan.notice * 1 days;
        bool expected = caller == plan.heir && ripe && owners[tokenIds[0]] == account;
        vm.assertTrue(_try(caller, abi.encodeCall(registry.takeOver, (account, tokenIds))) == expected, "taken over");
        if (!expected) return;
        owners[tokenIds[0]] = caller;
        (address seller,,,,,,,,) = marketplace.listingOf(tokenIds[0]);
        vm.assertEq(seller, address(0), "the listing ends");
        vm.assertEq(marketplace.rentalExpiry(tokenIds[0], address(this)), rentals[tokenIds[0]], "rentals stay");
    }

    function wait(uint256 time) external {
        clock += time % 40 days;
    }

    function requirePlans() external view {
        for (uint256 i = 0; i < people.length; ++i) {
            (bool done, bytes memory plan) = address(registry).staticcall(abi.encodeCall(registry.heirOf, (people[i])));
            vm.assertTrue(done, "read");
            vm.assertEq(plan, abi.encode(plans[people[i]]), "plan");
        }
    }

    function requireOwners() external view {
        uint256[4] memory counts;
        for (uint256 id = 1; id <= supply; ++id) {
            vm.assertEq(registry.ownerOf(id), owners[id], "owner");
            for (uint256 i = 0; i < 4; ++i) {
                if (owners[id] == people[i]) ++counts[i];
            }
        }
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertEq(registry.balanceOf(people[i]), counts[i], "balance");
        }
    }

    function _made(address by, address to) private {
        owners[++supply] = to;
        _mint(by, to, 0);
        if (by == to) _lives(by);
    }

    /// @dev A sign of life ends a takeover.
    function _lives(address account) private {
        (plans[account].lastSign, plans[account].announcedAt) = (clock, 0);
    }

    function _try(address caller, bytes memory data) private returns (bool done) {
        vm.prank(caller);
        (done,) = address(registry).call(data);
    }
}
