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

    function test_tokenURI_namesADeclaredParent() external {
        tokenId = _mint(alice, alice, _mint(alice));
        _requireDocument();
    }

    function test_contractURI_isADocument() external view {
        string memory json =
            '{"name":"Heirloom Memory","symbol":"HEIR","description":"Sealed agent memories with proven origin: to own, rent, fork and pass on."}';
        vm.assertEq(registry.contractURI(), _dataUri("data:application/json;base64,", json), "document");
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
        (,, uint256 parent, uint256 licence,,,,) = registry.recordOf(tokenId);
        string memory head = string.concat(
            '{"name":"Heirloom Memory #',
            vm.toString(tokenId),
            '","description":"A sealed agent memory with proven origin.","image":"',
            _image(),
            '","contentHash":"',
            vm.toString(HASH),
            '","storageUri":"v2:ipfs://',
            vm.toString(DIGEST)
        );
        string memory tail = string.concat(
            '","creator":"',
            vm.toString(abi.encodePacked(registry.creatorOf(tokenId))),
            '","parent":"',
            vm.toString(parent),
            '","attributes":[{"trait_type":"Origin","value":"',
            licence != 0 ? "Licensed fork" : parent == 0 ? "Original" : "Derived",
            '"},{"trait_type":"Created","display_type":"date","value":1800000000}]}'
        );
        string memory uri = _dataUri("data:application/json;base64,", string.concat(head, tail));
        vm.assertEq(registry.tokenURI(tokenId), uri, "document");
    }

    function _image() private view returns (string memory) {
        // keccak-256 of "content" begins with these three bytes.
        vm.assertEq(bytes32(bytes3(HASH)), bytes32(bytes3(0x1e109e)), "colour");
        string memory image = string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 350 350"><rect width="350" height="350" fill="#1c1917"/>',
            '<circle cx="175" cy="140" r="70" fill="#1e109e"/><text x="175" y="265" text-anchor="middle" ',
            'font-family="serif" font-size="26" fill="#f5f0e6">Heirloom Memory #',
            vm.toString(tokenId),
            "</text></svg>"
        );
        return _dataUri("data:image/svg+xml;base64,", image);
    }

    function _dataUri(string memory head, string memory text) private pure returns (string memory) {
        return string.concat(head, vm.toBase64(text));
    }

    function _failForNoToken(bytes4 selector, uint256 id) private {
        bytes memory failure = abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
        _demand(carol, address(registry), 0, abi.encodeWithSelector(selector, id), failure);
    }
}
