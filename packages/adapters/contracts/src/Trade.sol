// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from "./Payments.sol";
import {IMemoryMarketplace} from "./interfaces/IMemoryMarketplace.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {Royalty} from "./libraries/Royalty.sol";
import {Terms} from "./libraries/Terms.sol";

/// @notice The effects of the acts on listed tokens, whichever way they are paid. Who calls these functions emits the
/// event of the act and divides the price.
abstract contract Trade is Payments, IMemoryMarketplace {
    uint256 internal constant _DAYS_LIMIT = 365;

    /// @inheritdoc IMemoryMarketplace
    mapping(uint256 tokenId => mapping(address renter => uint256 expiresAt)) public rentalExpiry;
    /// @dev Keyed by the transfer count too: terms end with the ownership they were set under, without a write.
    mapping(uint256 tokenId => mapping(uint256 transferCount => Terms terms)) internal _terms;

    function _sell(uint256 tokenId, address recipient, uint256 paid, bool inDollars) internal returns (address seller) {
        uint256 transferCount;
        (seller, transferCount) = registry.holdingOf(tokenId);
        Terms terms = _terms[tokenId][transferCount];
        uint256 price = terms.price();
        if (price == 0) revert ListingNotForSale(tokenId);
        _requirePayment(tokenId, terms, price, paid, inDollars);
        _terms[tokenId][transferCount] = Terms.wrap(0);
        registry.transferOnSale(tokenId, recipient);
    }

    function _lease(uint256 tokenId, address recipient, uint256 numberOfDays, uint256 paid, bool inDollars)
        internal
        returns (address owner, uint256 expiresAt)
    {
        if (numberOfDays == 0 || numberOfDays > _DAYS_LIMIT) {
            revert RentalDurationInvalid(numberOfDays, _DAYS_LIMIT);
        }
        _requireRecipient(recipient);
        uint256 transferCount;
        (owner, transferCount) = registry.holdingOf(tokenId);
        Terms terms = _terms[tokenId][transferCount];
        uint256 rentPerDay = terms.rentPerDay();
        if (rentPerDay == 0) revert ListingNotForRent(tokenId);
        _requirePayment(tokenId, terms, rentPerDay * numberOfDays, paid, inDollars);
        expiresAt = _expiryAfter(tokenId, recipient, numberOfDays);
        if (expiresAt > _latestExpiry()) revert RentalTooLong(tokenId, expiresAt, _latestExpiry());
        rentalExpiry[tokenId][recipient] = expiresAt;
    }

    function _license(
        uint256 parent,
        address forker,
        address recipient,
        uint256 maxRoyaltyBps,
        uint256 paid,
        bool inDollars
    ) internal returns (uint256 tokenId, address owner, uint256 royaltyBps, IMemoryRegistry.Claim[] memory claims) {
        uint256 transferCount;
        (owner, transferCount) = registry.holdingOf(parent);
        Terms terms = _terms[parent][transferCount];
        uint256 price = terms.forkPrice();
        if (price == 0) revert ListingNotForFork(parent);
        _requirePayment(parent, terms, price, paid, inDollars);
        claims = registry.royaltyLineageOf(parent);
        uint256 totalBps;
        (royaltyBps, totalBps) = Royalty.extend(claims, terms.royaltyBps());
        if (totalBps > maxRoyaltyBps) revert ListingRoyaltyChanged(parent, totalBps, maxRoyaltyBps);
        tokenId = registry.fork(parent, forker, recipient, royaltyBps);
    }

    function _expiryAfter(uint256 tokenId, address renter, uint256 numberOfDays) internal view returns (uint256) {
        uint256 from = rentalExpiry[tokenId][renter];
        if (from < block.timestamp) from = block.timestamp;
        return from + numberOfDays * 1 days;
    }

    /// @dev Without the limit a rental, which nothing can revoke, could bind a later owner for more than a year.
    function _latestExpiry() internal view returns (uint256) {
        return block.timestamp + _DAYS_LIMIT * 1 days;
    }

    /// @dev A currency that changes under a buyer can only make the act fail, as a price does.
    function _requirePayment(uint256 tokenId, Terms terms, uint256 price, uint256 paid, bool inDollars) private view {
        if (terms.inDollars() != inDollars) {
            revert ListingCurrencyChanged(tokenId, inDollars ? address(0) : dollar);
        }
        if (paid != price) revert ListingPriceChanged(tokenId, price, paid);
    }
}
