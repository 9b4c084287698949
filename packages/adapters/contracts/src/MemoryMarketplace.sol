// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Forwarder} from "./Forwarder.sol";
import {Orders} from "./Orders.sol";
import {Payments} from "./Payments.sol";
import {IERC721} from "./interfaces/IERC721.sol";
import {IMemoryMarketplace} from "./interfaces/IMemoryMarketplace.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {DEPTH_LIMIT} from "./libraries/Origin.sol";
import {Royalty} from "./libraries/Royalty.sol";
import {PRICE_LIMIT, Terms, packTerms} from "./libraries/Terms.sol";

/// @notice The market of agent memories, deployed together with its registry, its forwarder and the code of its deposit
/// addresses. No owner, no upgrade, no fee.
contract MemoryMarketplace is Orders {
    uint256 private constant _BATCH_LIMIT = 200;

    /// @param dollar The ERC-20 token with EIP-3009 in which listings may be priced, or zero for none.
    constructor(address dollar) ERC2771Context(address(new Forwarder())) Payments(dollar) {}

    /// @inheritdoc IMemoryMarketplace
    function list(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps)
        external
        locked
    {
        _list(_msgSender(), tokenId, price, rentPerDay, forkPrice, royaltyBps, false);
    }

    /// @inheritdoc IMemoryMarketplace
    function listInDollars(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps)
        external
        locked
    {
        if (dollar == address(0)) revert DollarMissing();
        _list(_msgSender(), tokenId, price, rentPerDay, forkPrice, royaltyBps, true);
    }

    /// @inheritdoc IMemoryMarketplace
    /// @dev Asks who called, so that it cannot be relayed: wallets show what they sign for the forwarder as opaque
    /// bytes, and one such signature must not offer all tokens of an account.
    function listMany(Offer[] calldata offers) external locked {
        if (offers.length == 0 || offers.length > _BATCH_LIMIT) {
            revert IMemoryRegistry.BatchSizeInvalid(offers.length, _BATCH_LIMIT);
        }
        for (uint256 i = 0; i < offers.length; ++i) {
            Offer calldata offer = offers[i];
            if (offer.inDollars && dollar == address(0)) revert DollarMissing();
            _list(
                msg.sender,
                offer.tokenId,
                offer.price,
                offer.rentPerDay,
                offer.forkPrice,
                offer.royaltyBps,
                offer.inDollars
            );
        }
    }

    /// @inheritdoc IMemoryMarketplace
    function buy(uint256 tokenId, address recipient) external payable locked {
        address seller = _sell(tokenId, recipient, msg.value, false);
        emit Sold(tokenId, seller, _msgSender(), recipient, msg.value);
        _divide(registry.royaltyLineageOf(tokenId), seller);
    }

    /// @inheritdoc IMemoryMarketplace
    function rent(uint256 tokenId, address recipient, uint256 numberOfDays)
        external
        payable
        locked
        returns (uint256 expiresAt)
    {
        address owner;
        (owner, expiresAt) = _lease(tokenId, recipient, numberOfDays, msg.value, false);
        emit Rented(tokenId, owner, recipient, _msgSender(), expiresAt, msg.value);
        _divide(registry.royaltyLineageOf(tokenId), owner);
    }

    /// @inheritdoc IMemoryMarketplace
    function fork(uint256 parent, address recipient, uint256 maxRoyaltyBps)
        external
        payable
        locked
        returns (uint256 tokenId)
    {
        address forker = _msgSender();
        address owner;
        uint256 royaltyBps;
        IMemoryRegistry.Claim[] memory claims;
        (tokenId, owner, royaltyBps, claims) = _license(parent, forker, recipient, maxRoyaltyBps, msg.value, false);
        emit Forked(parent, tokenId, forker, recipient, royaltyBps, msg.value);
        _divide(claims, owner);
    }

    /// @inheritdoc IMemoryMarketplace
    function payRoyalty(uint256 parent) external payable locked {
        if (msg.value == 0) revert RoyaltyZero();
        _payRoyalty(parent, registry.creatorOf(parent), msg.value);
    }

    /// @inheritdoc IMemoryMarketplace
    function accessOf(uint256 tokenId, address account)
        external
        view
        returns (
            address owner,
            address creator,
            uint256 expiresAt,
            uint256 parent,
            bytes32 contentHash,
            bytes32 digest,
            uint256 asOf,
            uint256 source,
            address sourceCreator
        )
    {
        asOf = block.timestamp;
        expiresAt = rentalExpiry[tokenId][account];
        if (tokenId != 0 && tokenId <= registry.totalSupply()) {
            (creator,, parent,, contentHash, digest, owner,) = registry.recordOf(tokenId);
            (source, sourceCreator,) = registry.sourceOf(tokenId);
        }
    }

    /// @inheritdoc IMemoryMarketplace
    function listingOf(uint256 tokenId)
        external
        view
        returns (
            address seller,
            uint256 price,
            uint256 rentPerDay,
            uint256 forkPrice,
            uint256 royaltyBps,
            uint256 effectiveRoyaltyBps,
            uint256 totalRoyaltyBps,
            bool canBeForked,
            address asset
        )
    {
        (address owner, uint256 transferCount) = registry.holdingOf(tokenId);
        Terms terms = _terms[tokenId][transferCount];
        if (!terms.isEmpty()) seller = owner;
        (price, rentPerDay, forkPrice, royaltyBps) =
        (terms.price(), terms.rentPerDay(), terms.forkPrice(), terms.royaltyBps());
        (effectiveRoyaltyBps, totalRoyaltyBps) = Royalty.extend(registry.royaltyLineageOf(tokenId), royaltyBps);
        (,, uint256 depth) = registry.sourceOf(tokenId);
        canBeForked = depth < DEPTH_LIMIT;
        if (terms.inDollars()) asset = dollar;
    }

    /// @inheritdoc IMemoryMarketplace
    function royaltySplitOf(uint256 tokenId, uint256 price)
        external
        view
        returns (address[] memory recipients, uint256[] memory amounts, uint256 rest)
    {
        IMemoryRegistry.Claim[] memory claims = registry.royaltyLineageOf(tokenId);
        (amounts, rest) = Royalty.split(claims, price);
        recipients = new address[](claims.length);
        for (uint256 i = 0; i < recipients.length; ++i) {
            recipients[i] = claims[i].creator;
        }
    }

    function _list(
        address caller,
        uint256 tokenId,
        uint256 price,
        uint256 rentPerDay,
        uint256 forkPrice,
        uint256 royaltyBps,
        bool inDollars
    ) private {
        (address owner, uint256 transferCount) = registry.holdingOf(tokenId);
        _requireLister(caller, tokenId, owner);
        _requirePrice(price);
        _requirePrice(rentPerDay);
        _requirePrice(forkPrice);
        if (royaltyBps > Royalty.WHOLE) revert RoyaltyShareTooHigh(royaltyBps, Royalty.WHOLE);
        Terms terms = packTerms(price, rentPerDay, forkPrice, royaltyBps, inDollars);
        _terms[tokenId][transferCount] = terms;
        if (terms.inDollars()) {
            emit ListedInDollars(tokenId, owner, dollar, price, rentPerDay, forkPrice, royaltyBps);
        } else {
            emit Listed(tokenId, owner, price, rentPerDay, forkPrice, royaltyBps);
        }
    }

    function _requireLister(address caller, uint256 tokenId, address owner) private view {
        if (caller == owner || IERC721(address(registry)).isApprovedForAll(owner, caller)) return;
        revert ListingNotOwner(tokenId, owner, caller);
    }

    /// @dev The last step of every act that is paid: all effects are written before another account is called.
    function _divide(IMemoryRegistry.Claim[] memory claims, address seller) private {
        (uint256[] memory amounts, uint256 rest) = Royalty.split(claims, msg.value);
        for (uint256 i = 0; i < amounts.length; ++i) {
            if (amounts[i] != 0) _payRoyalty(claims[i].tokenId, claims[i].creator, amounts[i]);
        }
        if (rest != 0) _pay(seller, rest);
    }

    function _payRoyalty(uint256 tokenId, address creator, uint256 amount) private {
        emit RoyaltyPaid(tokenId, creator, _msgSender(), amount);
        _pay(creator, amount);
    }

    function _requirePrice(uint256 price) private pure {
        if (price > PRICE_LIMIT) revert ListingPriceTooHigh(price, PRICE_LIMIT);
    }
}
