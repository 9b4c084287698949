// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MemoryRegistry} from "../../src/MemoryRegistry.sol";

/// @notice Keeps what it was told about a token that it received, and whether the token was already there.
contract GoodReceiver {
    address public operator;
    address public from;
    uint256 public tokenId;
    bytes public data;
    address public ownerThen;

    function onERC721Received(address operator_, address from_, uint256 tokenId_, bytes calldata data_)
        external
        returns (bytes4)
    {
        (operator, from, tokenId, data) = (operator_, from_, tokenId_, data_);
        ownerThen = MemoryRegistry(msg.sender).ownerOf(tokenId_);
        return 0x150b7a02;
    }
}

/// @notice Answers or fails as it is told.
contract ScriptedReceiver {
    bytes private answer;
    bool private fails;

    constructor(bytes memory answer_, bool fails_) {
        (answer, fails) = (answer_, fails_);
    }

    fallback(bytes calldata) external returns (bytes memory) {
        bytes memory said = answer;
        if (!fails) return said;
        assembly ("memory-safe") {
            revert(add(said, 32), mload(said))
        }
    }
}

/// @notice Has code, and no function to receive a token.
contract Bystander {
    uint256 public constant one = 1;
}

/// @notice Sends a token on while it is being received.
contract PassingReceiver {
    address private immutable next;

    constructor(address next_) {
        next = next_;
    }

    function onERC721Received(address, address, uint256 tokenId, bytes calldata) external returns (bytes4) {
        MemoryRegistry(msg.sender).transferFrom(address(this), next, tokenId);
        return this.onERC721Received.selector;
    }
}

/// @notice Tries to take the token of its sender a second time while it is being received.
contract GreedyReceiver {
    bytes public reason;

    function onERC721Received(address, address from, uint256 tokenId, bytes calldata) external returns (bytes4) {
        try MemoryRegistry(msg.sender).transferFrom(from, address(this), tokenId) {}
        catch (bytes memory failure) {
            reason = failure;
        }
        return this.onERC721Received.selector;
    }
}
