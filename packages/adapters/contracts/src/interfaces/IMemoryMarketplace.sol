// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Sells, rents and licenses forks of the tokens of its registry, for exact prices in the native coin.
interface IMemoryMarketplace {
    /// @notice The terms of a token, with the parameters of `list`.
    struct Offer {
        uint256 tokenId;
        uint256 price;
        uint256 rentPerDay;
        uint256 forkPrice;
        uint256 royaltyBps;
        bool inDollars;
    }

    /// @notice The owner, or an operator, set the terms of a token. They end with its next transfer; a zero price is no offer.
    event Listed(
        uint256 indexed tokenId,
        address indexed seller,
        uint256 price,
        uint256 rentPerDay,
        uint256 forkPrice,
        uint256 royaltyBps
    );
    /// @notice A token was sold; the buyer paid, the recipient owns it.
    event Sold(
        uint256 indexed tokenId, address indexed seller, address indexed buyer, address recipient, uint256 price
    );
    /// @notice Access to a token was rented until `expiresAt`; the payer paid, the renter has access.
    event Rented(
        uint256 indexed tokenId,
        address owner,
        address indexed renter,
        address indexed payer,
        uint256 expiresAt,
        uint256 paid
    );
    /// @notice A token was forked; the forker paid and is the creator, the recipient owns the fork.
    /// @param royaltyBps The share that the fork owes to the creator of its parent, beside all that its parent owes.
    event Forked(
        uint256 indexed parent,
        uint256 indexed tokenId,
        address indexed forker,
        address recipient,
        uint256 royaltyBps,
        uint256 price
    );
    /// @notice The creator of a token was paid a royalty.
    event RoyaltyPaid(uint256 indexed tokenId, address indexed to, address indexed from, uint256 amount);
    /// @notice The owner, or an operator, set the terms of a token in dollars.
    event ListedInDollars(
        uint256 indexed tokenId,
        address indexed seller,
        address indexed asset,
        uint256 price,
        uint256 rentPerDay,
        uint256 forkPrice,
        uint256 royaltyBps
    );

    /// @notice There is no such token.
    error TokenNotFound(uint256 tokenId);
    /// @notice The token is not offered for sale.
    error ListingNotForSale(uint256 tokenId);
    /// @notice The token is not offered for rent.
    error ListingNotForRent(uint256 tokenId);
    /// @notice The token is not offered for forking.
    error ListingNotForFork(uint256 tokenId);
    /// @notice Only the owner and its operators set the terms of a token.
    error ListingNotOwner(uint256 tokenId, address owner, address caller);
    /// @notice A token with `limit` licensed forks between it and its source, itself included, cannot be forked.
    error LineageTooDeep(uint256 tokenId, uint256 limit);
    /// @notice The payment is not exactly the price.
    error ListingPriceChanged(uint256 tokenId, uint256 price, uint256 offered);
    /// @notice A fork would now owe more of its price in all than the caller accepts.
    error ListingRoyaltyChanged(uint256 tokenId, uint256 royaltyBps, uint256 accepted);
    /// @notice The price does not fit a listing.
    error ListingPriceTooHigh(uint256 price, uint256 limit);
    /// @notice The royalty is more than the whole price.
    error RoyaltyShareTooHigh(uint256 royaltyBps, uint256 limit);
    /// @notice A royalty payment must be more than zero.
    error RoyaltyZero();
    /// @notice A rental lasts 1 to 365 days.
    error RentalDurationInvalid(uint256 numberOfDays, uint256 limit);
    /// @notice The rental would end later than 365 days from now.
    error RentalTooLong(uint256 tokenId, uint256 expiresAt, uint256 limit);
    /// @notice The listing is priced in another currency: in `asset`, or in native coins where that is zero.
    error ListingCurrencyChanged(uint256 tokenId, address asset);
    /// @notice This pair has no dollar.
    error DollarMissing();

    /// @notice Sets the terms of a token of the caller, or of an owner whose operator the caller is. A zero price is no offer; all zero removes the listing.
    /// @param royaltyBps The share of each price that a fork will owe for ever, as far as older claims leave it.
    function list(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps) external;

    /// @notice Sets the terms of a token in dollars instead, with prices in the dollar's smallest unit.
    function listInDollars(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps)
        external;

    /// @notice Sets the terms of 1 to 200 tokens, all or none.
    function listMany(Offer[] calldata offers) external;

    /// @notice Buys a token for `recipient`. The payment must be exactly the price.
    function buy(uint256 tokenId, address recipient) external payable;

    /// @notice Rents access to a token for `recipient`, from now or from the end of its running rental.
    function rent(uint256 tokenId, address recipient, uint256 numberOfDays) external payable returns (uint256 expiresAt);

    /// @notice Forks a token: the caller is the creator, `recipient` owns the fork.
    /// @param maxRoyaltyBps The most that the caller accepts for the fork to owe of its price in all.
    function fork(uint256 parent, address recipient, uint256 maxRoyaltyBps) external payable returns (uint256 tokenId);

    /// @notice Pays the creator of a token.
    function payRoyalty(uint256 parent) external payable;

    /// @notice Returns all that decides on access, in a call that never reverts. A zero owner means no such token.
    /// @dev `expiresAt` is the end of the account's rental, 0 if it never rented; `asOf` is the time of the block that
    /// answers; both in seconds. `source` is the snapshot that the token was forked from through licensed forks, the
    /// token itself when it is no licensed fork; a declared parent is not followed.
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
        );

    /// @notice Returns the current terms of an existing token, all zero when there are none, and what a fork would owe.
    /// @dev A fork made now would newly owe `effectiveRoyaltyBps` to the creator of this token, and `totalRoyaltyBps` in
    /// all. `canBeForked` is false once the chain of licensed forks is as deep as it may be. `asset` is the dollar that the
    /// prices are in, or zero for native coins.
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
        );

    /// @notice Divides a possible price of an existing token among its claims, the oldest first, and its seller.
    function royaltySplitOf(uint256 tokenId, uint256 price)
        external
        view
        returns (address[] memory recipients, uint256[] memory amounts, uint256 rest);

    /// @notice Returns the end of the rental of an account, in seconds; 0 if it never rented.
    function rentalExpiry(uint256 tokenId, address account) external view returns (uint256);
}
