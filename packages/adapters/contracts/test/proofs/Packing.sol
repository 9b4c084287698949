// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BALANCE_MASK, Holder} from "../../src/libraries/Holder.sol";
import {Holding, packHolding} from "../../src/libraries/Holding.sol";
import {Inheritance, packInheritance} from "../../src/libraries/Inheritance.sol";
import {Origin, packOrigin} from "../../src/libraries/Origin.sol";
import {Terms, packTerms} from "../../src/libraries/Terms.sol";

/// @notice Every field is read back from its word as it was packed, and no field reaches into another.
contract Packing {
    function terms(uint80 price, uint80 rentPerDay, uint80 forkPrice, uint256 royaltyBps, bool inDollars)
        external
        pure
    {
        require(royaltyBps < 2 ** 14);
        Terms packed = packTerms(price, rentPerDay, forkPrice, royaltyBps, inDollars);
        bool hasPrice = price != 0 || rentPerDay != 0 || forkPrice != 0;
        assert(packed.price() == price);
        assert(packed.rentPerDay() == rentPerDay);
        assert(packed.forkPrice() == forkPrice);
        assert(packed.royaltyBps() == royaltyBps);
        assert(packed.inDollars() == (inDollars && hasPrice));
        assert(packed.isEmpty() == (!hasPrice && royaltyBps == 0));
    }

    function holding(address owner, uint96 transferCount) external pure {
        Holding packed = packHolding(owner, transferCount);
        assert(packed.owner() == owner);
        assert(packed.transferCount() == transferCount);
    }

    function origin(address creator, uint256 parent, uint256 licence) external view {
        require(parent < 2 ** 42 && licence < 2 ** 14);
        Origin packed = packOrigin(creator, parent, licence);
        assert(packed.creator() == creator);
        assert(packed.timestamp() == block.timestamp % 2 ** 40);
        assert(packed.parent() == parent);
        assert(packed.licence() == licence);
    }

    function inheritance(address heir, uint16 silenceDays, uint16 noticeDays) external pure {
        Inheritance packed = packInheritance(heir, silenceDays, noticeDays);
        assert(packed.heir() == heir);
        assert(packed.announcedAt() == 0);
        assert(packed.silenceDays() == silenceDays);
        assert(packed.noticeDays() == noticeDays);
    }

    function announcement(uint256 word) external view {
        Inheritance before = Inheritance.wrap(word);
        Inheritance announced = before.announced();
        assert(announced.heir() == before.heir());
        assert(announced.announcedAt() == block.timestamp);
        assert(announced.silenceDays() == before.silenceDays());
        assert(announced.noticeDays() == before.noticeDays());
    }

    function signOfLife(uint256 word) external view {
        Holder signed = Holder.wrap(word).signed();
        assert(signed.balance() == Holder.wrap(word).balance());
        assert(signed.lastSign() == block.timestamp);
    }

    function oneTokenMore(uint256 word) external pure {
        Holder holder = Holder.wrap(word);
        require(holder.balance() < BALANCE_MASK);
        assert(holder.plusOne().balance() == holder.balance() + 1);
        assert(holder.plusOne().lastSign() == holder.lastSign());
    }

    function oneTokenLess(uint256 word) external pure {
        Holder holder = Holder.wrap(word);
        require(holder.balance() > 0);
        assert(holder.minusOne().balance() == holder.balance() - 1);
        assert(holder.minusOne().lastSign() == holder.lastSign());
    }
}
