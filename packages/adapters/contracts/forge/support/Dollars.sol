// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestDollar} from "../../src/TestDollar.sol";
import {IOrders} from "../../src/interfaces/IOrders.sol";
import {PickyDollar} from "./PickyDollar.sol";
import {Scene} from "./Scene.sol";
import {vm} from "./Vm.sol";

/// @notice Orders, and what accounts sign for them.
abstract contract Dollars is Scene {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    IOrders.Authorization internal none;

    function _newDollar() internal override returns (TestDollar) {
        return new PickyDollar();
    }

    function _listInDollars(uint256 tokenId, uint256 price, uint256 rent, uint256 forkPrice, uint256 bps) internal {
        address owner = registry.ownerOf(tokenId);
        vm.prank(owner);
        marketplace.listInDollars(tokenId, price, rent, forkPrice, bps);
    }

    /// @dev The address of an order that an account with this key pays to.
    function _depositOf(IOrders.Order memory order) internal view returns (address) {
        return marketplace.depositOf(marketplace.hashOf(order));
    }

    function _payment(uint256 key, IOrders.Order memory order) internal view returns (bytes memory) {
        return _signed(key, RECEIVE, address(marketplace), order.price, marketplace.hashOf(order));
    }

    function _authorization(uint256 key, IOrders.Order memory order, uint256 value, bytes32 nonce)
        internal
        view
        returns (IOrders.Authorization memory)
    {
        bytes memory signature = _signed(key, TRANSFER, _depositOf(order), value, nonce);
        return IOrders.Authorization(vm.addr(key), value, 0, type(uint256).max, nonce, signature);
    }

    function _signed(uint256 key, bytes32 kind, address to, uint256 value, bytes32 nonce)
        private
        view
        returns (bytes memory)
    {
        bytes32 content = keccak256(abi.encode(kind, vm.addr(key), to, value, 0, type(uint256).max, nonce));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", dollar.DOMAIN_SEPARATOR(), content));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
