// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Origin} from "./Origin.sol";

/// @notice Writes what ordinary wallets and explorers show of a token.
library TokenDocument {
    bytes16 private constant _HEX = "0123456789abcdef";

    /// @notice Writes the storage URI of a sealed memory.
    function storageURI(bytes32 digest) internal pure returns (string memory) {
        return string.concat("v2:ipfs://", hexOf(digest, 32));
    }

    /// @notice Writes the JSON document of a token as a data URI.
    function tokenURI(uint256 tokenId, bytes32 contentHash, bytes32 digest, Origin origin)
        internal
        pure
        returns (string memory)
    {
        string memory id = decimalOf(tokenId);
        bytes memory head = abi.encodePacked(
            '{"name":"Heirloom Memory #',
            id,
            '","description":"A sealed agent memory with proven origin.","image":"',
            _imageOf(id, contentHash),
            '","contentHash":"',
            hexOf(contentHash, 32),
            '","storageUri":"',
            storageURI(digest)
        );
        bytes memory tail = abi.encodePacked(
            '","creator":"',
            hexOf(bytes32(bytes20(origin.creator())), 20),
            '","parent":"',
            decimalOf(origin.parent()),
            '","attributes":[{"trait_type":"Origin","value":"',
            _kindOf(origin),
            '"},{"trait_type":"Created","display_type":"date","value":',
            decimalOf(origin.timestamp()),
            "}]}"
        );
        return _dataUri(bytes.concat(head, tail));
    }

    /// @notice Writes the JSON document of the collection as a data URI.
    function contractURI(string memory name, string memory symbol) internal pure returns (string memory) {
        return _dataUri(
            abi.encodePacked(
                '{"name":"',
                name,
                '","symbol":"',
                symbol,
                '","description":"Sealed agent memories with proven origin: to own, rent, fork and pass on."}'
            )
        );
    }

    function _dataUri(bytes memory document) private pure returns (string memory) {
        return string.concat("data:application/json;base64,", Base64.encode(document));
    }

    function _kindOf(Origin origin) private pure returns (string memory) {
        if (origin.licence() != 0) return "Licensed fork";
        return origin.parent() == 0 ? "Original" : "Derived";
    }

    /// @dev A plain card in a colour of the content, so that copies of one content look alike.
    function _imageOf(string memory id, bytes32 contentHash) private pure returns (string memory) {
        bytes memory image = abi.encodePacked(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 350 350"><rect width="350" height="350" fill="#1c1917"/>',
            '<circle cx="175" cy="140" r="70" fill="#',
            _digitsOf(contentHash, 3),
            '"/><text x="175" y="265" text-anchor="middle" font-family="serif" font-size="26" fill="#f5f0e6">',
            "Heirloom Memory #",
            id,
            "</text></svg>"
        );
        return string.concat("data:image/svg+xml;base64,", Base64.encode(image));
    }

    /// @notice Writes the first bytes of a word in lower-case hex.
    function hexOf(bytes32 word, uint256 size) internal pure returns (string memory) {
        return string.concat("0x", _digitsOf(word, size));
    }

    /// @notice Writes a number in decimal digits.
    function decimalOf(uint256 value) internal pure returns (string memory) {
        uint256 size = 1;
        for (uint256 rest = value; rest > 9; rest /= 10) {
            ++size;
        }
        bytes memory text = new bytes(size);
        for (uint256 rest = value; size > 0; rest /= 10) {
            text[--size] = bytes1(uint8(48 + (rest % 10)));
        }
        return string(text);
    }

    function _digitsOf(bytes32 word, uint256 size) private pure returns (string memory) {
        bytes memory text = new bytes(2 * size);
        for (uint256 i = 0; i < size; ++i) {
            text[2 * i] = _HEX[uint8(word[i]) >> 4];
            text[2 * i + 1] = _HEX[uint8(word[i]) & 15];
        }
        return string(text);
    }
}
