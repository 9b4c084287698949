// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MemoryRegistry} from "./MemoryRegistry.sol";
import {IMemoryMarketplace} from "./interfaces/IMemoryMarketplace.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {DEPTH_LIMIT} from "./libraries/Origin.sol";
import {Royalty} from "./libraries/Royalty.sol";
import {PRICE_LIMIT, Terms, packTerms} from "./libraries/Terms.sol";

/// @notice The market of agent memories, deployed together with its registry. No owner, no upgrade, no fee.
contract MemoryMarketplace is IMemoryMarketplace {
    uint256 private constant _DAYS_LIMIT = 365;
    uint256 private constant _PAYMENT_GAS = 100_000;

    /// @inheritdoc IMemoryMarketplace
    IMemoryRegistry public immutable registry = new MemoryRegistry();

    /// @inheritdoc IMemoryMarketplace
    mapping(uint256 tokenId => mapping(address renter => uint256 expiresAt)) public rentalExpiry;
    /// @inheritdoc IMemoryMarketplace
    mapping(address account => uint256 amount) public creditOf;
    /// @dev Keyed by the transfer count too: terms end with the ownership they were set under, without a write.
    mapping(uint256 tokenId => mapping(uint256 transferCount => Terms terms)) private _terms;
    bool private transient _locked;

    modifier locked() {
        if (_locked) revert Reentered();
        _locked = true;
        _;
        _locked = false;
    }

    /// @inheritdoc IMemoryMarketplace
    function list(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps)
        external
        locked
    {
        (address owner, uint256 transferCount) = registry.holdingOf(tokenId);
        if (msg.sender != owner) revert ListingNotOwner(tokenId, owner, msg.sender);
        _requirePrice(price);
        _requirePrice(rentPerDay);
        _requirePrice(forkPrice);
        if (royaltyBps > Royalty.WHOLE) revert RoyaltyShareTooHigh(royaltyBps, Royalty.WHOLE);
        _terms[tokenId][transferCount] = packTerms(price, rentPerDay, forkPrice, royaltyBps);
        emit Listed(tokenId, owner, price, rentPerDay, forkPrice, royaltyBps);
    }

    /// @inheritdoc IMemoryMarketplace
    function buy(uint256 tokenId, address recipient) external payable locked {
        (address seller, uint256 transferCount) = registry.holdingOf(tokenId);
        uint256 price = _terms[tokenId][transferCount].price();
        if (price == 0) revert ListingNotForSale(tokenId);
        _requirePayment(tokenId, price);
        _terms[tokenId][transferCount] = Terms.wrap(0);
        registry.transferOnSale(tokenId, recipient);
        emit Sold(tokenId, seller, msg.sender, recipient, price);
        _settle(registry.royaltyLineageOf(tokenId), seller);
    }

    /// @inheritdoc IMemoryMarketplace
    function rent(uint256 tokenId, address recipient, uint256 numberOfDays)
        external
        payable
        locked
        returns (uint256 expiresAt)
    {
        if (numberOfDays == 0 || numberOfDays > _DAYS_LIMIT) {
            revert RentalDurationInvalid(numberOfDays, _DAYS_LIMIT);
        }
        _requireRecipient(recipient);
        (address owner, uint256 transferCount) = registry.holdingOf(tokenId);
        uint256 rentPerDay = _terms[tokenId][transferCount].rentPerDay();
        if (rentPerDay == 0) revert ListingNotForRent(tokenId);
        _requirePayment(tokenId, rentPerDay * numberOfDays);
        expiresAt = _extend(tokenId, recipient, numberOfDays * 1 days);
        emit Rented(tokenId, owner, recipient, msg.sender, expiresAt, msg.value);
        _settle(registry.royaltyLineageOf(tokenId), owner);
    }

    /// @inheritdoc IMemoryMarketplace
    function fork(uint256 parent, address recipient, uint256 maxRoyaltyBps)
        external
        payable
        locked
        returns (uint256 tokenId)
    {
        (address owner, uint256 transferCount) = registry.holdingOf(parent);
        Terms terms = _terms[parent][transferCount];
        uint256 price = terms.forkPrice();
        if (price == 0) revert ListingNotForFork(parent);
        _requirePayment(parent, price);
        IMemoryRegistry.Claim[] memory claims = registry.royaltyLineageOf(parent);
        (uint256 royaltyBps, uint256 totalBps) = Royalty.extend(claims, terms.royaltyBps());
        if (totalBps > maxRoyaltyBps) revert ListingRoyaltyChanged(parent, totalBps, maxRoyaltyBps);
        tokenId = registry.fork(parent, msg.sender, recipient, royaltyBps);
        emit Forked(parent, tokenId, msg.sender, recipient, royaltyBps, price);
        _settle(claims, owner);
    }

    /// @inheritdoc IMemoryMarketplace
    function payRoyalty(uint256 parent) external payable locked {
        if (msg.value == 0) revert RoyaltyZero();
        _payRoyalty(parent, registry.creatorOf(parent), msg.value);
    }

    /// @inheritdoc IMemoryMarketplace
    function withdraw(address to) external locked {
        uint256 amount = creditOf[msg.sender];
        if (amount == 0) revert CreditEmpty(msg.sender);
        _requireRecipient(to);
        delete creditOf[msg.sender];
        emit Withdrawn(msg.sender, to, amount);
        if (!_send(to, amount, gasleft())) revert RecipientInvalid(to);
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
            bool canBeForked
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

    /// @dev Without the limit a rental, which nothing can revoke, could bind a later owner for more than a year.
    function _extend(uint256 tokenId, address renter, uint256 duration) private returns (uint256 expiresAt) {
        uint256 from = rentalExpiry[tokenId][renter];
        if (from < block.timestamp) from = block.timestamp;
        expiresAt = from + duration;
        uint256 limit = block.timestamp + _DAYS_LIMIT * 1 days;
        if (expiresAt > limit) revert RentalTooLong(tokenId, expiresAt, limit);
        rentalExpiry[tokenId][renter] = expiresAt;
    }

    /// @dev The last step of every function that pays: all effects are written before another account is called.
    function _settle(IMemoryRegistry.Claim[] memory claims, address seller) private {
        (uint256[] memory amounts, uint256 rest) = Royalty.split(claims, msg.value);
        for (uint256 i = 0; i < amounts.length; ++i) {
            if (amounts[i] != 0) _payRoyalty(claims[i].tokenId, claims[i].creator, amounts[i]);
        }
        if (rest != 0) _pay(seller, rest);
    }

    function _payRoyalty(uint256 tokenId, address creator, uint256 amount) private {
        emit RoyaltyPaid(tokenId, creator, msg.sender, amount);
        _pay(creator, amount);
    }

    /// @dev A recipient that refuses must not prevent the payment of the others.
    function _pay(address to, uint256 amount) private {
        if (_send(to, amount, _PAYMENT_GAS)) return;
        creditOf[to] += amount;
        emit Credited(to, amount);
    }

    /// @dev Copies no return data, so that a recipient cannot make the caller pay for much of it.
    function _send(address to, uint256 amount, uint256 allowance) private returns (bool sent) {
        assembly ("memory-safe") {
            sent := call(allowance, to, amount, 0, 0, 0, 0)
        }
    }

    function _requirePayment(uint256 tokenId, uint256 price) private view {
        if (msg.value != price) revert ListingPriceChanged(tokenId, price, msg.value);
    }

    function _requireRecipient(address recipient) private view {
        if (recipient == address(0) || recipient == address(this) || recipient == address(registry)) {
            revert RecipientInvalid(recipient);
        }
    }

    function _requirePrice(uint256 price) private pure {
        if (price > PRICE_LIMIT) revert ListingPriceTooHigh(price, PRICE_LIMIT);
    }
}
