// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "../support/Vm.sol";
import {TokenStates} from "./TokenStates.sol";

/// @notice ERC-165, ERC-721 Metadata, ERC-2981 and the counts of ERC-721.
contract ViewsTest is TokenStates {
    function test_supportsInterface_ofTheStandards() external view {
        vm.assertTrue(registry.supportsInterface(0x01ffc9a7), "ERC-165");
        vm.assertTrue(registry.supportsInterface(0x80ac58cd), "ERC-721");
        vm.assertTrue(registry.supportsInterface(0x5b5e139f), "ERC-721 Metadata");
        vm.assertTrue(registry.supportsInterface(0x2a55205a), "ERC-2981");
        vm.assertTrue(registry.supportsInterface(0xbb3bafd6), "Manifold's royalties");
    }

    function test_supportsInterface_ofNothingElse() external view {
        vm.assertTrue(!registry.supportsInterface(0xffffffff), "ERC-165 forbids it");
        vm.assertTrue(!registry.supportsInterface(0x780e9d63), "ERC-721 Enumerable");
        vm.assertTrue(!registry.supportsInterface(0xad092b5c), "ERC-4907");
    }

    function test_fuzz_supportsInterface(bytes4 id) external view {
        bool standard = id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x2a55205a || id == 0xbb3bafd6;
        uint256 gas = gasleft();
        vm.assertTrue(registry.supportsInterface(id) == standard, "interface");
        vm.assertTrue(gas - gasleft() < 30_000, "less than 30,000 gas");
    }

    function test_name_isThere() external view {
        vm.assertEq(registry.name(), "Heirloom Memory", "name");
        vm.assertEq(registry.symbol(), "HEIR", "symbol");
    }

    function test_balanceOf_failsForZero() external inEveryState {
        bytes memory failure = abi.encodeWithSignature("ERC721InvalidOwner(address)", address(0));
        _demand(alice, address(registry), 0, abi.encodeCall(registry.balanceOf, (address(0))), failure);
    }

    function test_balanceOf_countsWhatOwnersOwn() external inEveryState {
        address[4] memory accounts = [alice, bob, carol, dave];
        _mint(dave, carol, 0);
        for (uint256 i = 0; i < accounts.length; ++i) {
            uint256 count = 0;
            for (uint256 id = registry.totalSupply(); id > 0; --id) {
                if (registry.ownerOf(id) == accounts[i]) ++count;
            }
            vm.assertEq(registry.balanceOf(accounts[i]), count, "balance");
        }
    }

    function test_ownerOf_failsForNoToken() external inEveryState {
        _failForNoToken(registry.ownerOf.selector, 0);
        _failForNoToken(registry.ownerOf.selector, registry.totalSupply() + 1);
        _failForNoToken(registry.ownerOf.selector, type(uint256).max);
    }

    function test_tokenURI_failsForNoToken() external inEveryState {
        _failForNoToken(registry.tokenURI.selector, 0);
        _failForNoToken(registry.tokenURI.selector, registry.totalSupply() + 1);
        _failForNoToken(registry.tokenURI.selector, type(uint256).max);
    }

    function test_tokenURI_isADocument() external inEveryState {
        _requireDocument();
        _transfer(tokenId, owner, carol);
        _requireDocument();
    }

    function test_royaltyInfo_isNobodyForNoToken() external inEveryState {
        (address receiver, uint256 amount) = registry.royaltyInfo(registry.totalSupply() + 1, 10_000);
        vm.assertEq(receiver, address(0), "receiver");
        vm.assertEq(amount, 0, "amount");
    }

    function test_royaltyInfo_isTheLicenceOfAFork() external inEveryState {
        (,,, uint256 licence,,,,) = registry.recordOf(tokenId);
        (uint256 source,,) = registry.sourceOf(tokenId);
        (address receiver, uint256 amount) = registry.royaltyInfo(tokenId, 10_019);
        vm.assertEq(receiver, licence == 0 ? address(0) : registry.creatorOf(source), "the oldest of equals");
        vm.assertEq(amount, licence == 0 ? 0 : 500, "amount, rounded down");
    }

    /// @dev What the royalty is of must not matter: no price is too high to ask about.
    /// forge-config: default.fuzz.runs = 32
    function test_fuzz_royaltyInfo(uint256 price) external inEveryState {
        (,,, uint256 licence,,,,) = registry.recordOf(tokenId);
        (, uint256 amount) = registry.royaltyInfo(tokenId, price);
        if (licence == 0) return vm.assertEq(amount, 0, "amount of a snapshot");
        vm.assertEq(amount, price / 20, "five per cent");
    }

    function _requireDocument() private view {
        string memory json = string.concat(
            '{"name":"Heirloom Memory #',
            vm.toString(tokenId),
            '","description":"A sealed agent memory with proven origin.","contentHash":"',
            vm.toString(HASH),
            '","storageUri":"v2:ipfs://',
            vm.toString(DIGEST),
            '","creator":"',
            vm.toString(abi.encodePacked(registry.creatorOf(tokenId))),
            '","parent":"',
            vm.toString(registry.parentOf(tokenId)),
            '"}'
        );
        string memory uri = string.concat("data:application/json;base64,", vm.toBase64(json));
        vm.assertEq(registry.tokenURI(tokenId), uri, "document");
    }

    function _failForNoToken(bytes4 selector, uint256 id) private {
        bytes memory failure = abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
        _demand(carol, address(registry), 0, abi.encodeWithSelector(selector, id), failure);
    }
}
