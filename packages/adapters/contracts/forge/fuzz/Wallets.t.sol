// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC2771Forwarder} from "@openzeppelin/contracts/metatx/ERC2771Forwarder.sol";
import {Deposit} from "../../src/Deposit.sol";
import {MemoryMarketplace} from "../../src/MemoryMarketplace.sol";
import {TestDollar} from "../../src/TestDollar.sol";
import {IMemoryMarketplace} from "../../src/interfaces/IMemoryMarketplace.sol";
import {IOrders} from "../../src/interfaces/IOrders.sol";
import {Dollars} from "../support/Dollars.sol";
import {RefusingReceiver} from "../support/MoneyReceivers.sol";
import {PickyDollar} from "../support/PickyDollar.sol";
import {vm} from "../support/Vm.sol";

/// @notice Knows the signatures of one account (ERC-1271).
contract Wallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bool known = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64])) == owner;
        return known ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// @notice What wallets do without native money, one example for each way.
contract WalletsTest is Dollars {
    bytes32 private constant REQUEST = keccak256(
        "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)"
    );
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CANCEL = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    function test_execute_actsForTheSigner() external {
        bytes memory data = abi.encodeCall(registry.mint, (alice, HASH, DIGEST, 0));
        forwarder.execute(_request(1, alice, data));
        vm.assertEq(registry.creatorOf(1), alice, "creator");
    }

    function test_execute_actsForAWallet() external {
        address wallet = address(new Wallet(alice));
        bytes memory data = abi.encodeCall(registry.mint, (wallet, HASH, DIGEST, 0));
        forwarder.execute(_request(1, wallet, data));
        vm.assertEq(registry.creatorOf(1), wallet, "creator");
        vm.assertTrue(!forwarder.verify(_request(2, wallet, data)), "signed by another");
        vm.assertTrue(!forwarder.verify(_request(2, alice, data)), "signed by another key");
    }

    function test_list_byAnOperator() external {
        _mint(alice);
        vm.prank(alice);
        registry.setApprovalForAll(bob, true);
        IMemoryMarketplace.Offer[] memory offers = new IMemoryMarketplace.Offer[](1);
        offers[0] = IMemoryMarketplace.Offer(1, 5, 0, 0, 0, true);
        vm.prank(bob);
        marketplace.listMany(offers);
        (address seller,,,,,,,, address asset) = marketplace.listingOf(1);
        vm.assertTrue(seller == alice && asset == address(dollar), "listed in dollars");
        _demand(
            bob,
            address(marketplace),
            0,
            abi.encodeCall(marketplace.listMany, (new IMemoryMarketplace.Offer[](0))),
            abi.encodeWithSignature("BatchSizeInvalid(uint256,uint256)", 0, 200)
        );
    }

    function test_list_needsADollar() external {
        MemoryMarketplace other = new MemoryMarketplace(address(0));
        bytes memory failure = abi.encodeWithSignature("DollarMissing()");
        _demand(alice, address(other), 0, abi.encodeCall(other.listInDollars, (1, 1, 1, 1, 1)), failure);
        IMemoryMarketplace.Offer[] memory offers = new IMemoryMarketplace.Offer[](1);
        offers[0].inDollars = true;
        _demand(alice, address(other), 0, abi.encodeCall(other.listMany, (offers)), failure);
    }

    function test_act_failsInTheOtherCurrency() external {
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        bytes memory failure = abi.encodeWithSignature("ListingCurrencyChanged(uint256,address)", 1, address(dollar));
        _demand(bob, address(marketplace), 100, abi.encodeCall(marketplace.buy, (1, bob)), failure);
        _list(1, 100, 10, 50, 0);
        failure = abi.encodeWithSignature("ListingCurrencyChanged(uint256,address)", 1, address(0));
        dollar.faucet(_depositOf(order), 100);
        _demand(bob, address(marketplace), 0, abi.encodeCall(marketplace.settle, (order, none)), failure);
        vm.assertTrue(!marketplace.isOpen(order), "not open");
    }

    function test_isOpen_ofWhatFits() external {
        _order(IOrders.Act.Buy, 100);
        vm.assertTrue(marketplace.isOpen(_orderOf(IOrders.Act.Rent, 30)), "rent");
        vm.assertTrue(marketplace.isOpen(_orderOf(IOrders.Act.Fork, 50)), "fork");
        vm.assertTrue(marketplace.isOpen(_orderOf(IOrders.Act.Royalty, 1)), "royalty");
        vm.assertTrue(!marketplace.isOpen(_orderOf(IOrders.Act.Buy, 0)), "for nothing");
        IOrders.Order memory order = _orderOf(IOrders.Act.Rent, 0);
        (order.numberOfDays, order.price) = (0, 1);
        vm.assertTrue(!marketplace.isOpen(order), "for no day");
        order = _orderOf(IOrders.Act.Buy, 100);
        order.tokenId = 2;
        vm.assertTrue(!marketplace.isOpen(order), "of no token");
        order = _orderOf(IOrders.Act.Buy, 100);
        order.recipient = address(0);
        vm.assertTrue(!marketplace.isOpen(order), "for nobody");
    }

    function test_order_fails() external {
        IOrders.Order memory order = _order(IOrders.Act.Royalty, 0);
        bytes memory data = abi.encodeCall(marketplace.settle, (order, none));
        _demand(dave, address(marketplace), 0, data, abi.encodeWithSignature("RoyaltyZero()"));
        order = _orderOf(IOrders.Act.Buy, 100);
        data = abi.encodeCall(marketplace.settle, (order, none));
        bytes32 orderHash = marketplace.hashOf(order);
        bytes memory failure =
            abi.encodeWithSignature("OrderPaymentShort(bytes32,uint256,uint256)", orderHash, uint256(100), uint256(0));
        _demand(dave, address(marketplace), 0, data, failure);
        order.asset = address(registry);
        data = abi.encodeCall(marketplace.settle, (order, none));
        failure = abi.encodeWithSignature("OrderAssetInvalid(address,address)", address(registry), address(dollar));
        _demand(dave, address(marketplace), 0, data, failure);
    }

    function test_settle_byAnAuthorizationThatWasUsedBefore() external {
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        IOrders.Authorization memory signed = _authorization(2, order, 100, bytes32(uint256(7)));
        dollar.faucet(bob, 100);
        dollar.transferWithAuthorization(
            bob, _depositOf(order), 100, 0, type(uint256).max, bytes32(uint256(7)), signed.signature
        );
        marketplace.settle(order, signed);
        vm.assertEq(registry.ownerOf(1), dave, "owner");
    }

    function test_settle_failsForAnExcessThatOnlyLacksGas() external {
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        dollar.faucet(_depositOf(order), 101);
        bytes memory data = abi.encodeCall(marketplace.settle, (order, none));
        uint256 last = 0;
        for (uint256 gas = 100_000; gas < 400_000; gas += 1_000) {
            (bool done, bytes memory reason) = address(marketplace).call{gas: gas}(data);
            if (bytes4(reason) == IOrders.OrderRefundFailed.selector) last = gas;
            if (done) break;
            vm.assertEq(dollar.balanceOf(_depositOf(order)), 101, "all is there");
        }
        vm.assertEq(dollar.balanceOf(_depositOf(order)), 0, "nothing is left");
        vm.assertTrue(last != 0, "some gas sufficed for all but the excess");
    }

    function test_pay_failsAsTheDollarSays() external {
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        bytes memory signature = _payment(2, order);
        bytes memory data = abi.encodeCall(marketplace.payOrder, (order, alice, 0, type(uint256).max, signature));
        bytes memory failure = abi.encodeWithSignature("AuthorizationSignatureInvalid(address)", alice);
        _demand(dave, address(marketplace), 0, data, failure);
    }

    function test_pay_withALongSignature() external {
        Wallet wallet = new Wallet(bob);
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        dollar.faucet(address(wallet), 100);
        bytes memory signature = abi.encodePacked(_paymentFrom(2, address(wallet), order), uint8(0));
        marketplace.payOrder(order, address(wallet), 0, type(uint256).max, signature);
        vm.assertEq(registry.ownerOf(1), dave, "owner");
    }

    function test_pull_failsForAll() external {
        Deposit deposit = Deposit(marketplace.depositCode());
        bytes memory failure = abi.encodeWithSignature("CallerNotMarketplace(address)", dave);
        _demand(dave, address(deposit), 0, abi.encodeCall(deposit.pull, (address(dollar), dave, 1)), failure);
    }

    function test_withdraw_ofBothCurrencies() external {
        address refusing = address(new RefusingReceiver());
        _mint(refusing);
        vm.deal(dave, 9);
        vm.prank(dave);
        marketplace.payRoyalty{value: 9}(1);
        bytes memory failure = abi.encodeWithSignature("RecipientInvalid(address)", refusing);
        bytes memory data = abi.encodeCall(marketplace.withdrawFor, (refusing));
        _demand(dave, address(marketplace), 0, data, failure);
        data = abi.encodeCall(marketplace.withdrawDollars, (dave));
        failure = abi.encodeWithSignature("CreditEmpty(address)", refusing);
        _demand(refusing, address(marketplace), 0, data, failure);
    }

    function test_takeOverCredit_ofBothCurrencies() external {
        address refusing = address(new RefusingReceiver());
        _mint(refusing);
        vm.deal(dave, 9);
        vm.prank(dave);
        marketplace.payRoyalty{value: 9}(1);
        PickyDollar(address(dollar)).setBlocked(refusing, true);
        IOrders.Order memory order = _orderOf(IOrders.Act.Royalty, 5);
        dollar.faucet(_depositOf(order), 5);
        marketplace.settle(order, none);
        _inherit(refusing);
        bytes memory data = abi.encodeCall(marketplace.takeOverCredit, (refusing));
        bytes memory failure = abi.encodeWithSignature("CallerNotHeir(address,address,address)", refusing, alice, dave);
        _demand(dave, address(marketplace), 0, data, failure);
        _demand(alice, address(marketplace), 0, data, "");
        vm.assertEq(marketplace.creditOf(alice), 9, "native credit");
        vm.assertEq(marketplace.dollarCreditOf(alice), 5, "dollar credit");
        vm.assertEq(marketplace.creditOf(refusing) + marketplace.dollarCreditOf(refusing), 0, "nothing is left");
        failure = abi.encodeWithSignature("CreditEmpty(address)", refusing);
        _demand(alice, address(marketplace), 0, data, failure);
    }

    function test_successorOf_isTheHeirAfterTheNotice() external {
        _inherit(bob);
        vm.assertEq(registry.successorOf(bob), alice, "heir");
        uint256[] memory none_ = new uint256[](0);
        bytes memory failure = abi.encodeWithSignature("BatchSizeInvalid(uint256,uint256)", 0, 200);
        _demand(alice, address(registry), 0, abi.encodeCall(registry.takeOver, (bob, none_)), failure);
        failure = abi.encodeWithSignature("HeirInvalid(address)", address(forwarder));
        bytes memory data = abi.encodeCall(registry.nameHeir, (address(forwarder), 30, 30));
        _demand(bob, address(registry), 0, data, failure);
        failure = abi.encodeWithSignature("HeirDelayInvalid(uint256,uint256,uint256)", 3_651, 30, 3_650);
        _demand(bob, address(registry), 0, abi.encodeCall(registry.nameHeir, (alice, 3_651, 30)), failure);
    }

    function test_takeOver_afterSilenceAndNotice() external {
        uint256 tokenId = _mint(bob);
        uint256 foreign = _mint(carol);
        vm.warp(1_800_000_000);
        vm.prank(bob);
        registry.nameHeir(alice, 30, 30);
        bytes memory announce = abi.encodeCall(registry.announceTakeover, (bob));
        bytes memory failure =
            abi.encodeWithSignature("AccountNotSilent(address,uint256)", bob, 1_800_000_000 + 30 days);
        _demand(alice, address(registry), 0, announce, failure);
        vm.warp(1_800_000_000 + 30 days);
        failure = abi.encodeWithSignature("CallerNotHeir(address,address,address)", bob, alice, dave);
        _demand(dave, address(registry), 0, announce, failure);
        _takeOver(tokenId, abi.encodeWithSignature("TakeoverNotAnnounced(address)", bob));
        _demand(alice, address(registry), 0, announce, "");
        uint256 takeoverAt = 1_800_000_000 + 60 days;
        failure = abi.encodeWithSignature("TakeoverAlreadyAnnounced(address,uint256)", bob, takeoverAt);
        _demand(alice, address(registry), 0, announce, failure);
        vm.warp(takeoverAt - 1);
        _takeOver(tokenId, abi.encodeWithSignature("TakeoverTooEarly(address,uint256)", bob, takeoverAt));
        vm.warp(takeoverAt);
        failure = abi.encodeWithSignature("ERC721IncorrectOwner(address,uint256,address)", bob, foreign, carol);
        _takeOver(foreign, failure);
        _takeOver(tokenId, "");
        vm.assertEq(registry.ownerOf(tokenId), alice, "owner");
    }

    /// @dev Nobody can tell which of the two came first, so the account is taken to live.
    function test_takeOver_failsAfterASignInTheBlockOfTheAnnouncement() external {
        uint256 tokenId = _mint(bob);
        _inherit(bob);
        vm.prank(bob);
        registry.heartbeat();
        vm.warp(block.timestamp + 30 days);
        vm.prank(alice);
        registry.announceTakeover(bob);
        (,,,, uint256 announcedAt) = registry.heirOf(bob);
        vm.assertEq(announcedAt, block.timestamp, "announced");
        vm.prank(bob);
        registry.heartbeat();
        (,,,, announcedAt) = registry.heirOf(bob);
        vm.assertEq(announcedAt, 0, "ended");
        vm.warp(block.timestamp + 30 days);
        _takeOver(tokenId, abi.encodeWithSignature("TakeoverNotAnnounced(address)", bob));
    }

    function test_withdrawDollars_sendsWhatWasCredited() external {
        _mint(alice);
        PickyDollar(address(dollar)).setBlocked(alice, true);
        IOrders.Order memory order = _orderOf(IOrders.Act.Royalty, 5);
        dollar.faucet(_depositOf(order), 5);
        marketplace.settle(order, none);
        bytes memory failure = abi.encodeWithSignature("RecipientInvalid(address)", alice);
        bytes memory push = abi.encodeCall(marketplace.withdrawDollarsFor, (alice));
        _demand(dave, address(marketplace), 0, push, failure);
        bytes memory data = abi.encodeCall(marketplace.withdrawDollars, (address(marketplace)));
        failure = abi.encodeWithSignature("RecipientInvalid(address)", address(marketplace));
        _demand(alice, address(marketplace), 0, data, failure);
        _demand(alice, address(marketplace), 0, abi.encodeCall(marketplace.withdrawDollars, (bob)), "");
        vm.assertEq(dollar.balanceOf(bob), 5, "withdrawn");
    }

    function test_refund_whenAndByWhom() external {
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        bytes32 orderHash = marketplace.hashOf(order);
        bytes memory data = abi.encodeCall(marketplace.refund, (order, address(dollar)));
        bytes memory failure =
            abi.encodeWithSignature("OrderRefundTooEarly(bytes32,address,address)", orderHash, carol, dave);
        _demand(dave, address(marketplace), 0, data, failure);
        _demand(carol, address(marketplace), 0, data, "");
        failure = abi.encodeWithSignature(
            "OrderRefundFailed(bytes32,address,uint256)", orderHash, address(dollar), uint256(0)
        );
        _demand(carol, address(marketplace), 0, data, failure);
        data = abi.encodeCall(marketplace.settle, (order, none));
        failure = abi.encodeWithSignature("OrderClosed(bytes32,uint8)", orderHash, uint8(2));
        _demand(dave, address(marketplace), 0, data, failure);
        dollar.faucet(_depositOf(order), 7);
        marketplace.refund(order, address(dollar));
        vm.assertEq(dollar.balanceOf(carol), 7, "refunded");
        order.deadline = block.timestamp - 1;
        failure = abi.encodeWithSignature("OrderExpired(bytes32,uint256)", marketplace.hashOf(order), order.deadline);
        _demand(dave, address(marketplace), 0, abi.encodeCall(marketplace.settle, (order, none)), failure);
        vm.deal(_depositOf(order), 3);
        marketplace.refund(order, address(0));
        vm.assertEq(carol.balance, 3, "native coins refunded");
    }

    function test_settle_leavesAnExcessThatTheDollarRefuses() external {
        IOrders.Order memory order = _order(IOrders.Act.Buy, 100);
        dollar.faucet(_depositOf(order), 103);
        PickyDollar(address(dollar)).setBlocked(carol, true);
        marketplace.settle(order, none);
        vm.assertEq(dollar.balanceOf(_depositOf(order)), 3, "left");
    }

    function _takeOver(uint256 tokenId, bytes memory failure) private {
        uint256[] memory tokenIds = new uint256[](1);
        tokenIds[0] = tokenId;
        _demand(alice, address(registry), 0, abi.encodeCall(registry.takeOver, (bob, tokenIds)), failure);
    }

    /// @dev A chain may count in smaller units than seconds; its days are shorter then, and its order is the same.
    function test_silence_onAChainOfAnyClock() external {
        vm.warp(2 ** 60);
        vm.prank(bob);
        registry.nameHeir(alice, 30, 30);
        bytes memory failure =
            abi.encodeWithSignature("AccountNotSilent(address,uint256)", bob, uint256(2 ** 60 + 30 days));
        _demand(alice, address(registry), 0, abi.encodeCall(registry.announceTakeover, (bob)), failure);
    }

    function test_dollar_itself() external {
        TestDollar money = TestDollar(address(dollar));
        vm.assertTrue(money.decimals() == 6, "decimals");
        bytes32 nonce = bytes32(uint256(3));
        bytes memory signature = _signContent(2, keccak256(abi.encode(CANCEL, bob, nonce)));
        money.cancelAuthorization(bob, nonce, signature);
        bytes memory failure = abi.encodeWithSignature("AuthorizationSpent(address,bytes32)", bob, nonce);
        bytes memory data = abi.encodeCall(money.cancelAuthorization, (bob, nonce, signature));
        _demand(dave, address(money), 0, data, failure);
        data = abi.encodeCall(money.cancelAuthorization, (bob, bytes32(0), signature));
        failure = abi.encodeWithSignature("AuthorizationSignatureInvalid(address)", bob);
        _demand(dave, address(money), 0, data, failure);
        failure = abi.encodeWithSignature("AuthorizationOutOfTime(uint256,uint256)", uint256(0), uint256(1));
        data = abi.encodeWithSelector(bytes4(0xcf092995), bob, dave, 1, 0, 1, nonce, signature);
        _demand(dave, address(money), 0, data, failure);
        failure = abi.encodeWithSignature("CallerNotRecipient(address,address)", alice, dave);
        data = abi.encodeWithSelector(bytes4(0xef55bec6), bob, alice, 1, 0, 1, nonce, 27, nonce, nonce);
        _demand(dave, address(money), 0, data, failure);
        data = abi.encodeWithSelector(bytes4(0x88b7ab63), bob, alice, 1, 0, 1, nonce, signature);
        _demand(dave, address(money), 0, data, failure);
    }

    function _order(IOrders.Act act, uint256 price) private returns (IOrders.Order memory) {
        _mint(alice);
        _listInDollars(1, 100, 10, 50, 0);
        return _orderOf(act, price);
    }

    function _orderOf(IOrders.Act act, uint256 price) private view returns (IOrders.Order memory) {
        return IOrders.Order(act, 1, address(dollar), price, dave, 3, 10_000, carol, type(uint256).max, 0);
    }

    /// @dev Alice may take over from an account.
    function _inherit(address account) private {
        vm.warp(1_800_000_000);
        vm.prank(account);
        registry.nameHeir(alice, 30, 30);
        vm.warp(1_800_000_000 + 30 days);
        vm.prank(alice);
        registry.announceTakeover(account);
        vm.warp(1_800_000_000 + 60 days);
    }

    function _paymentFrom(uint256 key, address payer, IOrders.Order memory order) private view returns (bytes memory) {
        bytes32 content = keccak256(
            abi.encode(
                keccak256(
                    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                payer,
                address(marketplace),
                order.price,
                0,
                type(uint256).max,
                marketplace.hashOf(order)
            )
        );
        return _signContent(key, content);
    }

    function _signContent(uint256 key, bytes32 content) private view returns (bytes memory) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", dollar.DOMAIN_SEPARATOR(), content));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _request(uint256 key, address from, bytes memory data)
        private
        view
        returns (ERC2771Forwarder.ForwardRequestData memory request)
    {
        request = ERC2771Forwarder.ForwardRequestData(from, address(registry), 0, 1_000_000, 2 ** 40, data, "");
        bytes32 content = keccak256(
            abi.encode(
                REQUEST, from, address(registry), 0, 1_000_000, forwarder.nonces(from), uint48(2 ** 40), keccak256(data)
            )
        );
        bytes32 domain = keccak256(
            abi.encode(DOMAIN, keccak256("Heirloom Forwarder"), keccak256("1"), block.chainid, address(forwarder))
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, content)));
        request.signature = abi.encodePacked(r, s, v);
    }
}
