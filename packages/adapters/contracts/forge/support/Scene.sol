// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Forwarder} from "../../src/Forwarder.sol";
import {MemoryMarketplace} from "../../src/MemoryMarketplace.sol";
import {MemoryRegistry} from "../../src/MemoryRegistry.sol";
import {TestDollar} from "../../src/TestDollar.sol";
import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {Vm, vm} from "./Vm.sol";

/// @notice A fresh pair, and acts in which an account does something that must succeed.
abstract contract Scene {
    /// @dev What forge prints beside a failure.
    event log(string text);

    bytes32 internal constant HASH = keccak256("content");
    bytes32 internal constant DIGEST = keccak256("envelope");

    TestDollar internal immutable dollar = _newDollar();
    MemoryMarketplace internal immutable marketplace = new MemoryMarketplace(address(dollar));
    MemoryRegistry internal immutable registry = MemoryRegistry(address(marketplace.registry()));
    Forwarder internal immutable forwarder = Forwarder(marketplace.trustedForwarder());

    address internal immutable alice = vm.addr(1);
    address internal immutable bob = vm.addr(2);
    address internal immutable carol = vm.addr(3);
    address internal immutable dave = vm.addr(4);

    function _newDollar() internal virtual returns (TestDollar) {
        return new TestDollar();
    }

    function _mint(address creator, address recipient, uint256 parent) internal returns (uint256) {
        vm.prank(creator);
        return registry.mint(recipient, HASH, DIGEST, parent);
    }

    function _mint(address creator) internal returns (uint256) {
        return _mint(creator, creator, 0);
    }

    function _mintBatch(address creator, uint256 size) internal returns (uint256) {
        IMemoryRegistry.Item[] memory items = new IMemoryRegistry.Item[](size);
        for (uint256 i = 0; i < size; ++i) {
            items[i] = IMemoryRegistry.Item(creator, HASH, DIGEST, 0);
        }
        vm.prank(creator);
        return registry.mintBatch(items);
    }

    function _transfer(uint256 tokenId, address from, address to) internal {
        vm.prank(from);
        registry.transferFrom(from, to, tokenId);
    }

    function _list(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps) internal {
        address owner = registry.ownerOf(tokenId);
        vm.prank(owner);
        marketplace.list(tokenId, price, rentPerDay, forkPrice, royaltyBps);
    }

    function _buy(uint256 tokenId, uint256 price, address buyer) internal {
        vm.deal(buyer, price);
        vm.prank(buyer);
        marketplace.buy{value: price}(tokenId, buyer);
    }

    function _fork(uint256 parent, uint256 price, address forker) internal returns (uint256) {
        vm.deal(forker, price);
        vm.prank(forker);
        return marketplace.fork{value: price}(parent, forker, 10_000);
    }

    /// @dev Calls as an account, and demands exactly the failure given, or success for an empty one.
    function _demand(address caller, address target, uint256 value, bytes memory data, bytes memory failure)
        internal
        returns (bytes memory answer)
    {
        bool done;
        vm.deal(caller, value);
        vm.prank(caller);
        (done, answer) = target.call{value: value}(data);
        vm.assertEq(done ? bytes("") : answer, failure, "failure");
        vm.assertTrue(done == (failure.length == 0), "success");
    }

    function _word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
