// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "../support/Money.sol";
import {vm} from "../support/Vm.sol";

/// @notice All that should be true of a market, remembered beside it.
abstract contract Ghost is Money {
    /// @dev In the order of `recordOf`.
    struct Fact {
        address creator;
        uint256 timestamp;
        uint256 parent;
        uint256 licence;
        bytes32 contentHash;
        bytes32 digest;
        address owner;
        uint256 transferCount;
    }

    struct Offer {
        address seller;
        uint256 price;
        uint256 rentPerDay;
        uint256 forkPrice;
        uint256 royaltyBps;
    }

    struct Rental {
        uint256 tokenId;
        address renter;
    }

    mapping(uint256 tokenId => Fact fact) internal facts;
    /// @dev What is offered, by `listingOf`.
    mapping(uint256 tokenId => Offer offer) internal offers;
    /// @dev What was offered before the token changed hands.
    mapping(uint256 tokenId => Offer offer) internal past;
    mapping(uint256 tokenId => mapping(address renter => uint256 expiresAt)) internal expiries;
    Rental[] internal rentals;
    uint256 internal supply;
    uint256 internal forksPaid;
    uint256 internal wei_;
    uint256 internal clock = 1_800_000_000;

    function requireRecords() external view {
        vm.assertEq(registry.totalSupply(), supply, "supply");
        uint256 forks = 0;
        for (uint256 id = 1; id <= supply; ++id) {
            bytes memory record = _read(address(registry), abi.encodeCall(registry.recordOf, (id)));
            vm.assertEq(record, abi.encode(facts[id]), "record");
            vm.assertEq(registry.ownerOf(id), facts[id].owner, "owner");
            if (facts[id].licence != 0) ++forks;
        }
        vm.assertEq(forks, forksPaid, "forks that were paid for");
    }

    function requireListings() external view {
        for (uint256 id = 1; id <= supply; ++id) {
            bytes memory listing = _read(address(marketplace), abi.encodeCall(marketplace.listingOf, (id)));
            Offer memory offer = offers[id];
            (uint256 effective, uint256 total) = _owed(id, offer.royaltyBps);
            vm.assertEq(
                listing, bytes.concat(abi.encode(offer), abi.encode(effective, total, true, address(0))), "listing"
            );
            address seller = offers[id].seller;
            vm.assertTrue(seller == address(0) || seller == facts[id].owner, "the seller is the owner");
        }
    }

    function requireCounts() external view {
        address[] memory owners = people;
        uint256[] memory counts = new uint256[](owners.length);
        for (uint256 id = 1; id <= supply; ++id) {
            address owner = facts[id].owner;
            for (uint256 i = 0; i < owners.length; ++i) {
                if (owners[i] == owner) ++counts[i];
            }
        }
        uint256 sum = 0;
        for (uint256 i = 0; i < owners.length; ++i) {
            vm.assertEq(registry.balanceOf(owners[i]), counts[i], "balance");
            sum += counts[i];
        }
        vm.assertEq(sum, supply, "sum of balances");
    }

    /// @dev The newest rentals, and whatever any account has of one token.
    function requireRentals() external view {
        for (uint256 i = rentals.length; i > 0 && i + 8 > rentals.length; --i) {
            _requireRental(rentals[i - 1].tokenId, rentals[i - 1].renter);
        }
        uint256 id = supply == 0 ? 0 : 1 + clock % supply;
        for (uint256 i = 0; i < people.length; ++i) {
            _requireRental(id, people[i]);
        }
    }

    function requireMoney() external view {
        _requireMoney();
        uint256 sum = address(marketplace).balance;
        for (uint256 i = 0; i < people.length; ++i) {
            sum += people[i].balance;
        }
        vm.assertEq(sum, wei_, "wei in the world");
    }

    function _requireRental(uint256 id, address renter) private view {
        uint256 expiresAt = marketplace.rentalExpiry(id, renter);
        vm.assertEq(expiresAt, expiries[id][renter], "expiry");
        vm.assertTrue(expiresAt <= clock + 365 days, "at most 365 days ahead");
        (,, uint256 seen,,,,,,) = marketplace.accessOf(id, renter);
        vm.assertEq(seen, expiresAt, "expiry at the gate");
    }

    function _remember(address creator, address owner, uint256 parent, uint256 licence, bytes32 hash, bytes32 digest)
        internal
    {
        facts[++supply] = Fact(creator, clock, parent, licence, hash, digest, owner, 0);
    }

    /// @dev A token changes hands, and what was offered is past.
    function _move(uint256 id, address to) internal {
        facts[id].owner = to;
        ++facts[id].transferCount;
        if (offers[id].seller != address(0)) past[id] = offers[id];
        delete offers[id];
    }

    function _endow(address account, uint256 amount) internal {
        _fund(account, amount);
        wei_ += amount;
    }

    function _spend(address account, uint256 amount) internal {
        purse[account] -= amount;
    }

    function _read(address target, bytes memory data) private view returns (bytes memory answer) {
        (, answer) = target.staticcall(data);
    }
}
