// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {Royalty} from "../../src/libraries/Royalty.sol";

/// @notice A price is divided without loss, and no claim takes what is not left.
contract Division {
    function shareOfAnyAmount(uint256 amount, uint256 royaltyBps) external pure {
        require(royaltyBps <= Royalty.WHOLE);
        assert(Royalty.shareOf(amount, royaltyBps) <= amount);
    }

    function shareIsRoundedDown(uint72 quotient, uint72 remainder, uint16 royaltyBps) external pure {
        uint256 price = _price(quotient, remainder);
        require(royaltyBps <= Royalty.WHOLE);
        uint256 share = Royalty.shareOf(price, royaltyBps);
        assert(share * Royalty.WHOLE <= price * royaltyBps);
        assert(price * royaltyBps < (share + 1) * Royalty.WHOLE);
    }

    function extendNone(uint256 royaltyBps) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](0);
        _extend(claims, royaltyBps);
    }

    function splitOne(uint72 quotient, uint72 remainder, uint16 bps0) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](1);
        claims[0].royaltyBps = bps0;
        _split(claims, _price(quotient, remainder));
    }

    function extendOne(uint16 bps0, uint256 royaltyBps) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](1);
        claims[0].royaltyBps = bps0;
        _extend(claims, royaltyBps);
    }

    function splitTwo(uint72 quotient, uint72 remainder, uint16 bps0, uint16 bps1) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](2);
        claims[0].royaltyBps = bps0;
        claims[1].royaltyBps = bps1;
        _split(claims, _price(quotient, remainder));
    }

    function splitThree(uint72 quotient, uint72 remainder, uint16 bps0, uint16 bps1, uint16 bps2) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](3);
        claims[0].royaltyBps = bps0;
        claims[1].royaltyBps = bps1;
        claims[2].royaltyBps = bps2;
        _split(claims, _price(quotient, remainder));
    }

    function extendSeven(uint16 bps0, uint16 bps1, uint16 bps2, uint16 bps3, uint16 bps4, uint16 bps5, uint16 bps6, uint256 royaltyBps) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](7);
        claims[0].royaltyBps = bps0;
        claims[1].royaltyBps = bps1;
        claims[2].royaltyBps = bps2;
        claims[3].royaltyBps = bps3;
        claims[4].royaltyBps = bps4;
        claims[5].royaltyBps = bps5;
        claims[6].royaltyBps = bps6;
        _extend(claims, royaltyBps);
    }

    function splitEight(uint72 quotient, uint72 remainder, uint16 bps0, uint16 bps1, uint16 bps2, uint16 bps3, uint16 bps4, uint16 bps5, uint16 bps6, uint16 bps7) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](8);
        claims[0].royaltyBps = bps0;
        claims[1].royaltyBps = bps1;
        claims[2].royaltyBps = bps2;
        claims[3].royaltyBps = bps3;
        claims[4].royaltyBps = bps4;
        claims[5].royaltyBps = bps5;
        claims[6].royaltyBps = bps6;
        claims[7].royaltyBps = bps7;
        _split(claims, _price(quotient, remainder));
    }

    function extendEight(uint16 bps0, uint16 bps1, uint16 bps2, uint16 bps3, uint16 bps4, uint16 bps5, uint16 bps6, uint16 bps7, uint256 royaltyBps) external pure {
        IMemoryRegistry.Claim[] memory claims = new IMemoryRegistry.Claim[](8);
        claims[0].royaltyBps = bps0;
        claims[1].royaltyBps = bps1;
        claims[2].royaltyBps = bps2;
        claims[3].royaltyBps = bps3;
        claims[4].royaltyBps = bps4;
        claims[5].royaltyBps = bps5;
        claims[6].royaltyBps = bps6;
        claims[7].royaltyBps = bps7;
        _extend(claims, royaltyBps);
    }

    /// @dev Any price that fits a listing, and higher ones, as a multiple of the whole and what is left of it.
    function _price(uint256 quotient, uint256 remainder) private pure returns (uint256) {
        return quotient * Royalty.WHOLE + remainder % Royalty.WHOLE;
    }

    function _split(IMemoryRegistry.Claim[] memory claims, uint256 price) private pure {
        require(_total(claims) <= Royalty.WHOLE);
        (uint256[] memory amounts, uint256 rest) = Royalty.split(claims, price);
        uint256 sum = rest;
        for (uint256 i = 0; i < amounts.length; ++i) {
            sum += amounts[i];
        }
        assert(sum == price);
    }

    function _extend(IMemoryRegistry.Claim[] memory claims, uint256 royaltyBps) private pure {
        uint256 owed = _total(claims);
        require(owed <= Royalty.WHOLE);
        (uint256 effectiveBps, uint256 totalBps) = Royalty.extend(claims, royaltyBps);
        assert(totalBps == owed + effectiveBps);
        assert(totalBps <= Royalty.WHOLE);
        assert(effectiveBps <= royaltyBps);
        // Less than was asked only where the whole is given away, and nothing beside as many claims as there may be.
        if (claims.length == Royalty.CLAIM_LIMIT) assert(effectiveBps == 0);
        else assert(effectiveBps == royaltyBps || totalBps == Royalty.WHOLE);
    }

    function _total(IMemoryRegistry.Claim[] memory claims) private pure returns (uint256 total) {
        for (uint256 i = 0; i < claims.length; ++i) {
            total += claims[i].royaltyBps;
        }
    }
}
