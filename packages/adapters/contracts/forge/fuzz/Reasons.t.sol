// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice Nothing fails without saying why, whoever calls with whatever well-formed arguments.
/// @dev Left out is what the compiler refuses before the contract begins: arguments that do not decode, a function
/// that does not exist, wei for a function that takes none. So is a call that runs out of gas.
contract ReasonsFuzzTest is World {
    struct Any {
        address caller;
        uint256 a;
        uint256 b;
        uint256 c;
        uint256 d;
        address x;
        address y;
    }

    function test_fuzz_reasonOfListing(Any memory any, uint256 e) external {
        _explain(any, address(marketplace), abi.encodeCall(marketplace.list, (any.a, any.b, any.c, any.d, e)));
        _explain(any, address(marketplace), abi.encodeCall(marketplace.listingOf, (any.a)));
        _explain(any, address(marketplace), abi.encodeCall(marketplace.withdraw, (any.x)));
    }

    function test_fuzz_reasonOfTrade(Any memory any, uint96 value) external {
        _explain(any, address(marketplace), abi.encodeCall(marketplace.buy, (any.a, any.x)), value);
        _explain(any, address(marketplace), abi.encodeCall(marketplace.rent, (any.a, any.x, any.b)), value);
        _explain(any, address(marketplace), abi.encodeCall(marketplace.fork, (any.a, any.x, any.b)), value);
        _explain(any, address(marketplace), abi.encodeCall(marketplace.payRoyalty, (any.a)), value);
    }

    function test_fuzz_reasonOfMarketplaceViews(Any memory any) external {
        _explain(any, address(marketplace), abi.encodeCall(marketplace.accessOf, (any.a, any.x)));
        _explain(any, address(marketplace), abi.encodeCall(marketplace.royaltySplitOf, (any.a, any.b)));
        _explain(any, address(marketplace), abi.encodeCall(marketplace.rentalExpiry, (any.a, any.x)));
        _explain(any, address(marketplace), abi.encodeCall(marketplace.creditOf, (any.x)));
        _explain(any, address(marketplace), abi.encodeCall(marketplace.registry, ()));
    }

    /// forge-config: default.fuzz.runs = 32
    function test_fuzz_reasonOfMint(Any memory any, IMemoryRegistry.Item[] memory items, bytes32[] memory cards)
        external
    {
        bytes memory data = abi.encodeCall(registry.mint, (any.x, bytes32(any.b), bytes32(any.c), any.a));
        _explain(any, address(registry), data);
        _explain(any, address(registry), abi.encodeCall(registry.mintBatch, (items)));
        _explain(any, address(registry), abi.encodeCall(registry.mintDescribed, (items, cards)));
        _explain(any, address(registry), abi.encodeCall(registry.mintDescribed, (items, new bytes32[](items.length))));
    }

    function test_fuzz_reasonOfMarketplaceOnly(Any memory any) external {
        _explain(any, address(registry), abi.encodeCall(registry.fork, (any.a, any.x, any.y, any.b)));
        _explain(any, address(registry), abi.encodeCall(registry.transferOnSale, (any.a, any.x)));
    }

    function test_fuzz_reasonOfTransfer(Any memory any, bytes memory note, bool approved) external {
        address r = address(registry);
        _explain(any, r, abi.encodeCall(registry.transferFrom, (any.x, any.y, any.a)));
        _explain(any, r, abi.encodeWithSelector(bytes4(0x42842e0e), any.x, any.y, any.a));
        _explain(any, r, abi.encodeWithSelector(bytes4(0xb88d4fde), any.x, any.y, any.a, note));
        _explain(any, r, abi.encodeCall(registry.approve, (any.x, any.a)));
        _explain(any, r, abi.encodeCall(registry.setApprovalForAll, (any.x, approved)));
    }

    /// forge-config: default.fuzz.runs = 32
    function test_fuzz_reasonOfRegistryViews(Any memory any) external {
        bytes4[11] memory selectors = [
            registry.recordOf.selector,
            registry.holdingOf.selector,
            registry.royaltyLineageOf.selector,
            registry.sourceOf.selector,
            registry.getRoyalties.selector,
            registry.creatorOf.selector,
            registry.parentOf.selector,
            registry.storageURI.selector,
            registry.tokenURI.selector,
            registry.ownerOf.selector,
            registry.getApproved.selector
        ];
        for (uint256 i = 0; i < selectors.length; ++i) {
            _explain(any, address(registry), abi.encodeWithSelector(selectors[i], any.a));
        }
        _explain(any, address(registry), abi.encodeCall(registry.royaltyInfo, (any.a, any.b)));
        _explain(any, address(registry), abi.encodeCall(registry.balanceOf, (any.x)));
        _explain(any, address(registry), abi.encodeCall(registry.isApprovedForAll, (any.x, any.y)));
        _explain(any, address(registry), abi.encodeCall(registry.supportsInterface, (bytes4(bytes32(any.b)))));
    }

    function _explain(Any memory any, address target, bytes memory data) private {
        _explain(any, target, data, 0);
    }

    /// @dev Asked by anybody of anything, and by one of this world about a token that is there.
    function _explain(Any memory any, address target, bytes memory data, uint256 value) private {
        _require(any.caller, target, data, value);
        _require(_person(any.a), target, data, value);
        bytes memory near = bytes.concat(data);
        uint256 id = 1 + any.a % registry.totalSupply();
        assembly ("memory-safe") {
            if gt(mload(near), 35) { mstore(add(near, 36), id) }
        }
        if (_takesTokenFirst(bytes4(data))) _require(registry.ownerOf(id), target, near, value);
    }

    function _require(address caller, address target, bytes memory data, uint256 value) private {
        vm.deal(caller, value);
        vm.prank(caller);
        (bool done, bytes memory reason) = target.call{value: value}(data);
        vm.assertTrue(done || reason.length >= 4, "a reason");
    }

    function _takesTokenFirst(bytes4 selector) private view returns (bool) {
        return selector == marketplace.list.selector || selector == marketplace.buy.selector
            || selector == marketplace.rent.selector || selector == marketplace.fork.selector
            || selector == marketplace.payRoyalty.selector || selector == marketplace.royaltySplitOf.selector
            || selector == registry.tokenURI.selector || selector == registry.royaltyInfo.selector;
    }
}
