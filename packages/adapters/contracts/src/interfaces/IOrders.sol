// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Acts that are paid in dollars. An order says everything about its act, and is carried out at most once.
/// @dev The hash of an order is its EIP-712 hash under the domain "Heirloom Marketplace", version "1", of this chain and
/// marketplace. Whoever knows an order may pay it and may have it carried out, since that serves only its recipient.
interface IOrders {
    /// @notice What an order does.
    enum Act {
        Buy,
        Rent,
        Fork,
        Royalty
    }

    /// @notice Whether an order can be carried out: it is open until it is settled or refunded, for good.
    enum OrderState {
        Open,
        Settled,
        Refunded
    }

    /// @notice An act at a price.
    /// @param asset The dollar of the pair.
    /// @param price The whole price, in the smallest unit of the dollar.
    /// @param recipient The account that gets the token or the rental, and is the creator of a fork.
    /// @param numberOfDays The days of a rental, else 0.
    /// @param maxRoyaltyBps The most that a fork may owe of its price in all, else 0.
    /// @param refundTo The account that gets back what was paid in vain or in excess; zero means the recipient.
    /// @param deadline The last time at which the order may be carried out, in seconds.
    /// @param salt Any value; orders that are alike differ in it.
    struct Order {
        Act act;
        uint256 tokenId;
        address asset;
        uint256 price;
        address recipient;
        uint256 numberOfDays;
        uint256 maxRoyaltyBps;
        address refundTo;
        uint256 deadline;
        bytes32 salt;
    }

    /// @notice A transfer that a holder of dollars signed (EIP-3009). A zero payer means none.
    struct Authorization {
        address payer;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice A token was sold for dollars.
    event SoldForDollars(
        uint256 indexed tokenId,
        address indexed seller,
        address indexed recipient,
        address payer,
        uint256 price,
        address asset,
        bytes32 orderHash
    );
    /// @notice Access to a token was rented for dollars until `expiresAt`.
    event RentedForDollars(
        uint256 indexed tokenId,
        address indexed renter,
        address owner,
        address payer,
        uint256 expiresAt,
        uint256 paid,
        address asset,
        bytes32 orderHash
    );
    /// @notice A token was forked for dollars; the recipient is the creator and the owner of the fork.
    event ForkedForDollars(
        uint256 indexed parent,
        uint256 indexed tokenId,
        address indexed recipient,
        address payer,
        uint256 royaltyBps,
        uint256 price,
        address asset,
        bytes32 orderHash
    );
    /// @notice The creator of a token was paid a royalty in dollars.
    event RoyaltyPaidInDollars(
        uint256 indexed tokenId,
        address indexed to,
        address indexed from,
        uint256 amount,
        address asset,
        bytes32 orderHash
    );
    /// @notice What was at the address of an order was sent back.
    event OrderRefunded(bytes32 indexed orderHash, address indexed to, address indexed asset, uint256 amount);

    /// @notice The order names another asset than the dollar of this pair.
    error OrderAssetInvalid(address asset, address dollar);
    /// @notice The deadline of the order has passed.
    error OrderExpired(bytes32 orderHash, uint256 deadline);
    /// @notice The order was settled or refunded before.
    error OrderClosed(bytes32 orderHash, OrderState state);
    /// @notice Less arrived than the price.
    error OrderPaymentShort(bytes32 orderHash, uint256 price, uint256 paid);
    /// @notice The order can still be carried out, so only the account that gets the refund may ask for it.
    error OrderRefundTooEarly(bytes32 orderHash, address refundTo, address caller);
    /// @notice There is nothing to send back, or the asset refuses to move now.
    error OrderRefundFailed(bytes32 orderHash, address asset, uint256 amount);

    /// @notice Carries out an order with dollars that `payer` authorized for it and nothing else.
    /// @param signature Over `ReceiveWithAuthorization` with this marketplace as `to`, the price as `value`, and the hash
    /// of the order as `nonce`: 65 bytes (r, s, v) of a key, or those that a contract accepts.
    function payOrder(
        Order calldata order,
        address payer,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice Carries out an order with the dollars at its deposit address; an excess goes to `refundTo`.
    /// @param authorization A transfer to the deposit address to make first. One that was used already counts as made.
    function settle(Order calldata order, Authorization calldata authorization) external;

    /// @notice Sends all of an asset at the deposit address of an order to its `refundTo`, and closes the order.
    /// @dev Anybody may ask once the order is closed, past its deadline, or does not fit the terms of its token any more;
    /// `refundTo` at any time.
    /// @param asset An ERC-20 token, or zero for the native coin.
    function refund(Order calldata order, address asset) external;

    /// @notice Returns the hash of an order.
    function hashOf(Order calldata order) external view returns (bytes32);

    /// @notice Returns the address that an order is paid to (CREATE2, with the hash of the order as salt).
    function depositOf(bytes32 orderHash) external view returns (address);

    /// @notice Returns whether an order can be carried out now, if it is paid.
    function isOpen(Order calldata order) external view returns (bool);

    /// @notice Returns what became of an order.
    function stateOf(bytes32 orderHash) external view returns (OrderState);

    /// @notice Returns the contract whose code the deposit addresses run.
    function depositCode() external view returns (address);
}
