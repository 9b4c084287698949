// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Deposit} from "./Deposit.sol";
import {Trade} from "./Trade.sol";
import {IDeposit} from "./interfaces/IDeposit.sol";
import {IERC3009} from "./interfaces/IERC3009.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {IOrders} from "./interfaces/IOrders.sol";
import {DEPTH_LIMIT} from "./libraries/Origin.sol";
import {Royalty} from "./libraries/Royalty.sol";
import {Terms} from "./libraries/Terms.sol";

/// @notice Orders: acts in dollars, paid by an authorization for them or to an address of their own.
abstract contract Orders is Trade, IOrders {
    bytes32 private constant _DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant _ORDER_TYPE = keccak256(
        "Order(uint8 act,uint256 tokenId,address asset,uint256 price,address recipient,uint256 numberOfDays,uint256 maxRoyaltyBps,address refundTo,uint256 deadline,bytes32 salt)"
    );

    // The functions of EIP-3009, with a signature in parts (v, r, s) or as bytes.
    bytes4 private constant _TRANSFER = 0xe3ee160e;
    bytes4 private constant _TRANSFER_BYTES = 0xcf092995;
    bytes4 private constant _RECEIVE = 0xef55bec6;
    bytes4 private constant _RECEIVE_BYTES = 0x88b7ab63;
    /// @dev Less than this is left only when a payment failed for lack of gas: the part that a call cannot pass on.
    uint256 private constant _LEAST_REST = 10_000;

    /// @inheritdoc IOrders
    address public immutable depositCode = address(new Deposit());
    /// @inheritdoc IOrders
    mapping(bytes32 orderHash => OrderState state) public stateOf;

    /// @inheritdoc IOrders
    /// @dev Only this contract can use the authorization (`receiveWithAuthorization`), and only for this order.
    function payOrder(
        Order calldata order,
        address payer,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external locked {
        bytes32 orderHash = _close(order);
        uint256 before = _balanceOf(address(this));
        Authorization memory authorization =
            Authorization(payer, order.price, validAfter, validBefore, orderHash, signature);
        _use(authorization, address(this), _RECEIVE, _RECEIVE_BYTES);
        _requireArrived(orderHash, order.price, _balanceOf(address(this)) - before);
        _carryOut(order, payer, orderHash);
    }

    /// @inheritdoc IOrders
    /// @dev Either the money moves and the act is done, or nothing happens: whoever sends this transaction cannot make
    /// the act fail and the payment stay.
    function settle(Order calldata order, Authorization calldata authorization) external locked {
        bytes32 orderHash = _close(order);
        address deposit = depositOf(orderHash);
        bool isPaidHere = _transferTo(deposit, authorization) && authorization.value >= order.price;
        uint256 paid = _balanceOf(deposit);
        _requireArrived(orderHash, order.price, paid);
        _deployDeposit(deposit, orderHash);
        uint256 before = _balanceOf(address(this));
        IDeposit(deposit).pull(dollar, address(this), order.price);
        _requireArrived(orderHash, order.price, _balanceOf(address(this)) - before);
        // Whoever adds less than the price to the money of others is not the payer.
        _carryOut(order, isPaidHere ? authorization.payer : deposit, orderHash);
        if (paid > order.price) _sendExcess(order, deposit, orderHash, paid - order.price);
    }

    /// @inheritdoc IOrders
    /// @dev Only a refund of dollars closes an order, and a stranger's only of a whole price paid in vain: for dust, or for
    /// a token of its own making, nobody closes an order whose terms do not fit for a moment.
    function refund(Order calldata order, address asset) external locked {
        bytes32 orderHash = hashOf(order);
        address to = _refundeeOf(order);
        bool isAsked = _msgSender() == to;
        address deposit = depositOf(orderHash);
        uint256 amount = asset == address(0) ? deposit.balance : IERC20(asset).balanceOf(deposit);
        bool closes = stateOf[orderHash] == OrderState.Open;
        if (closes && !isAsked && block.timestamp <= order.deadline) {
            bool isDust = asset == dollar && amount < order.price;
            if (isDust || _fits(order)) revert OrderRefundTooEarly(orderHash, to, _msgSender());
        }
        closes = closes && asset == dollar;
        if (closes) stateOf[orderHash] = OrderState.Refunded;
        emit OrderRefunded(orderHash, to, asset, amount);
        // Who is to get the refund may close an order before anything was paid.
        if (amount == 0 && closes && isAsked) return;
        _deployDeposit(deposit, orderHash);
        bool sent = amount != 0 && IDeposit(deposit).pull(asset, to, amount);
        if (!sent) revert OrderRefundFailed(orderHash, asset, amount);
    }

    /// @inheritdoc IOrders
    function isOpen(Order calldata order) public view returns (bool) {
        return stateOf[hashOf(order)] == OrderState.Open && block.timestamp <= order.deadline && _fits(order);
    }

    /// @inheritdoc IOrders
    function hashOf(Order calldata order) public view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(_DOMAIN_TYPE, keccak256("Heirloom Marketplace"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(abi.encode(_ORDER_TYPE, order))));
    }

    /// @inheritdoc IOrders
    function depositOf(bytes32 orderHash) public view returns (address) {
        return Clones.predictDeterministicAddress(depositCode, orderHash);
    }

    /// @dev Closes an order that is about to be carried out; if that fails, so does this.
    function _close(Order calldata order) private returns (bytes32 orderHash) {
        orderHash = hashOf(order);
        OrderState state = stateOf[orderHash];
        if (state != OrderState.Open) revert OrderClosed(orderHash, state);
        if (block.timestamp > order.deadline) revert OrderExpired(orderHash, order.deadline);
        if (order.asset != dollar || dollar == address(0)) revert OrderAssetInvalid(order.asset, dollar);
        stateOf[orderHash] = OrderState.Settled;
    }

    function _carryOut(Order calldata order, address payer, bytes32 orderHash) private {
        if (order.act == Act.Buy) _buyFor(order, payer, orderHash);
        else if (order.act == Act.Rent) _rentFor(order, payer, orderHash);
        else if (order.act == Act.Fork) _forkFor(order, payer, orderHash);
        else _payRoyaltyFor(order, payer, orderHash);
    }

    function _buyFor(Order calldata order, address payer, bytes32 orderHash) private {
        uint256 tokenId = order.tokenId;
        address seller = _sell(tokenId, order.recipient, order.price, true);
        emit SoldForDollars(tokenId, seller, order.recipient, payer, order.price, dollar, orderHash);
        _divideDollars(registry.royaltyLineageOf(tokenId), seller, order.price, payer, orderHash);
    }

    function _rentFor(Order calldata order, address payer, bytes32 orderHash) private {
        uint256 tokenId = order.tokenId;
        (address owner, uint256 expiresAt) = _lease(tokenId, order.recipient, order.numberOfDays, order.price, true);
        emit RentedForDollars(tokenId, order.recipient, owner, payer, expiresAt, order.price, dollar, orderHash);
        _divideDollars(registry.royaltyLineageOf(tokenId), owner, order.price, payer, orderHash);
    }

    /// @dev Dollars may come from anybody, so the creator of the fork is the recipient, whom the order names.
    function _forkFor(Order calldata order, address payer, bytes32 orderHash) private {
        address recipient = order.recipient;
        (uint256 tokenId, address owner, uint256 royaltyBps, IMemoryRegistry.Claim[] memory claims) =
            _license(order.tokenId, recipient, recipient, order.maxRoyaltyBps, order.price, true);
        emit ForkedForDollars(order.tokenId, tokenId, recipient, payer, royaltyBps, order.price, dollar, orderHash);
        _divideDollars(claims, owner, order.price, payer, orderHash);
    }

    function _payRoyaltyFor(Order calldata order, address payer, bytes32 orderHash) private {
        if (order.price == 0) revert RoyaltyZero();
        address creator = registry.creatorOf(order.tokenId);
        emit RoyaltyPaidInDollars(order.tokenId, creator, payer, order.price, dollar, orderHash);
        _payDollars(creator, order.price);
    }

    function _divideDollars(
        IMemoryRegistry.Claim[] memory claims,
        address seller,
        uint256 price,
        address payer,
        bytes32 orderHash
    ) private {
        (uint256[] memory amounts, uint256 rest) = Royalty.split(claims, price);
        for (uint256 i = 0; i < amounts.length; ++i) {
            if (amounts[i] == 0) continue;
            emit RoyaltyPaidInDollars(claims[i].tokenId, claims[i].creator, payer, amounts[i], dollar, orderHash);
            _payDollars(claims[i].creator, amounts[i]);
        }
        if (rest != 0) _payDollars(seller, rest);
    }

    /// @dev Returns whether the act would succeed on the current terms, without failing.
    function _fits(Order calldata order) private view returns (bool) {
        uint256 tokenId = order.tokenId;
        if (order.asset != dollar || dollar == address(0) || order.price == 0) return false;
        if (tokenId == 0 || tokenId > registry.totalSupply()) return false;
        if (order.act == Act.Royalty) return true;
        if (!_canReceive(order.recipient)) return false;
        (, uint256 transferCount) = registry.holdingOf(tokenId);
        Terms terms = _terms[tokenId][transferCount];
        if (!terms.inDollars()) return false;
        if (order.act == Act.Buy) return terms.price() == order.price;
        if (order.act == Act.Rent) return _fitsRental(order, terms);
        return terms.forkPrice() == order.price && _fitsLineage(order, terms);
    }

    function _fitsRental(Order calldata order, Terms terms) private view returns (bool) {
        uint256 numberOfDays = order.numberOfDays;
        if (numberOfDays == 0 || numberOfDays > _DAYS_LIMIT) return false;
        return _expiryAfter(order.tokenId, order.recipient, numberOfDays) <= _latestExpiry()
            && terms.rentPerDay() * numberOfDays == order.price;
    }

    function _fitsLineage(Order calldata order, Terms terms) private view returns (bool) {
        (, uint256 totalBps) = Royalty.extend(registry.royaltyLineageOf(order.tokenId), terms.royaltyBps());
        (,, uint256 depth) = registry.sourceOf(order.tokenId);
        return totalBps <= order.maxRoyaltyBps && depth < DEPTH_LIMIT;
    }

    /// @dev An excess that the dollar refuses to send stays at the deposit address, for a refund. One that only lacks gas
    /// fails the transaction; otherwise an estimate of its gas would leave every excess behind.
    function _sendExcess(Order calldata order, address deposit, bytes32 orderHash, uint256 amount) private {
        if (IDeposit(deposit).pull(dollar, _refundeeOf(order), amount)) return;
        if (gasleft() < _LEAST_REST) revert OrderRefundFailed(orderHash, dollar, amount);
    }

    /// @dev Makes a signed transfer to a deposit address, and returns whether it was made now. Anybody may have made it
    /// before; then the money is there, or the order is short of it.
    function _transferTo(address deposit, Authorization calldata authorization) private returns (bool) {
        if (authorization.payer == address(0)) return false;
        if (IERC3009(dollar).authorizationState(authorization.payer, authorization.nonce)) return false;
        _use(authorization, deposit, _TRANSFER, _TRANSFER_BYTES);
        return true;
    }

    /// @dev A signature of 65 bytes is passed as its parts, which every dollar takes, and USDC for contracts too; any other
    /// as bytes.
    function _use(Authorization memory authorization, address to, bytes4 withParts, bytes4 withBytes) private {
        bytes memory signature = authorization.signature;
        bytes memory words = abi.encode(
            authorization.payer,
            to,
            authorization.value,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce
        );
        bytes memory data;
        if (signature.length == 65) {
            (uint8 v, bytes32 r, bytes32 s) = _partsOf(signature);
            data = bytes.concat(withParts, words, abi.encode(v, r, s));
        } else {
            // The seventh word says where the bytes begin: after these seven.
            data = bytes.concat(withBytes, words, abi.encode(uint256(7 * 32), signature.length), signature);
        }
        (bool done, bytes memory reason) = dollar.call(data);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    function _partsOf(bytes memory signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    function _deployDeposit(address deposit, bytes32 orderHash) private {
        if (deposit.code.length == 0) Clones.cloneDeterministic(depositCode, orderHash);
    }

    function _requireArrived(bytes32 orderHash, uint256 price, uint256 paid) private pure {
        if (paid < price) revert OrderPaymentShort(orderHash, price, paid);
    }

    function _balanceOf(address account) private view returns (uint256) {
        return IERC20(dollar).balanceOf(account);
    }

    function _refundeeOf(Order calldata order) private pure returns (address) {
        return order.refundTo == address(0) ? order.recipient : order.refundTo;
    }
}
