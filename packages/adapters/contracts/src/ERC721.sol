// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Relayed} from "./Relayed.sol";
import {IERC721, IERC721Errors, IERC721Receiver} from "./interfaces/IERC721.sol";
import {Holder} from "./libraries/Holder.sol";
import {Holding, packHolding} from "./libraries/Holding.sol";
import {Origin} from "./libraries/Origin.sol";

/// @notice Ownership of tokens that belong to their creator until their first transfer.
/// @dev A forwarder may relay what an account signed, except approvals: a wallet shows what it signs for a forwarder as
/// bytes that nobody can read, and one signature must not give all tokens away.
abstract contract ERC721 is Relayed, IERC721, IERC721Errors {
    struct Token {
        bytes32 contentHash;
        bytes32 digest;
        Origin origin;
        Holding holding;
    }

    /// @dev A struct, because only a struct can be read and written with one computation of its place.
    struct HolderSlot {
        Holder holder;
    }

    mapping(uint256 tokenId => Token token) internal _tokens;
    mapping(address account => HolderSlot slot) internal _holders;
    /// @dev Keyed by the transfer count too: an approval ends with the ownership it was given under, without a write.
    mapping(uint256 tokenId => mapping(uint256 transferCount => address approved)) private _approvals;
    /// @inheritdoc IERC721
    mapping(address owner => mapping(address operator => bool approved)) public isApprovedForAll;

    /// @inheritdoc IERC721
    function balanceOf(address owner) external view returns (uint256) {
        if (owner == address(0)) revert ERC721InvalidOwner(owner);
        return _holders[owner].holder.balance();
    }

    /// @inheritdoc IERC721
    function ownerOf(uint256 tokenId) external view returns (address owner) {
        (owner,) = _existing(tokenId);
    }

    /// @inheritdoc IERC721
    function getApproved(uint256 tokenId) external view returns (address) {
        (, uint256 transferCount) = _existing(tokenId);
        return _approvals[tokenId][transferCount];
    }

    /// @inheritdoc IERC721
    function approve(address to, uint256 tokenId) external {
        (address owner, uint256 transferCount) = _existing(tokenId);
        if (msg.sender != owner && !isApprovedForAll[owner][msg.sender]) revert ERC721InvalidApprover(msg.sender);
        _approvals[tokenId][transferCount] = to;
        emit Approval(owner, to, tokenId);
    }

    /// @inheritdoc IERC721
    function setApprovalForAll(address operator, bool approved) external {
        if (operator == address(0)) revert ERC721InvalidOperator(operator);
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    /// @inheritdoc IERC721
    function transferFrom(address from, address to, uint256 tokenId) public {
        if (!_canHold(to)) revert ERC721InvalidReceiver(to);
        (address owner, uint256 transferCount) = _existing(tokenId);
        address caller = _msgSender();
        bool allowed =
            caller == owner || isApprovedForAll[owner][caller] || caller == _approvals[tokenId][transferCount];
        if (!allowed) revert ERC721InsufficientApproval(caller, tokenId);
        if (from != owner) revert ERC721IncorrectOwner(from, tokenId, owner);
        _transfer(tokenId, owner, to, transferCount, caller == owner);
    }

    /// @inheritdoc IERC721
    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    /// @inheritdoc IERC721
    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        if (to.code.length == 0) return;
        // A try would decode the answer itself, and refuse a malformed one without a reason.
        (bool accepted, bytes memory answer) =
            to.call(abi.encodeCall(IERC721Receiver.onERC721Received, (_msgSender(), from, tokenId, data)));
        if (!accepted && answer.length > 0) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        bool confirmed = answer.length >= 32 && bytes32(answer) == bytes32(IERC721Receiver.onERC721Received.selector);
        if (!accepted || !confirmed) revert ERC721InvalidReceiver(to);
    }

    /// @dev Returns whether an account may own tokens.
    function _canHold(address account) internal view virtual returns (bool);

    /// @dev Returns the zero owner for a token that does not exist.
    function _holdingOf(uint256 tokenId) internal view returns (address owner, uint256 transferCount) {
        Token storage token = _tokens[tokenId];
        Holding holding = token.holding;
        owner = holding.owner();
        if (owner == address(0)) owner = token.origin.creator();
        transferCount = holding.transferCount();
    }

    /// @dev Assigns a new token to its first owner. For a creator no owner is written.
    /// @param signs Whether this is a sign of life of the recipient.
    function _give(uint256 tokenId, address creator, address recipient, bool signs) internal {
        if (recipient != creator) _tokens[tokenId].holding = packHolding(recipient, 0);
        HolderSlot storage slot = _holders[recipient];
        Holder holder = slot.holder.plusOne();
        slot.holder = signs ? holder.signed() : holder;
        emit Transfer(address(0), recipient, tokenId);
    }

    /// @dev The only place where a token is transferred. The count grows even when the owner stays the same.
    /// @param signs Whether this is a sign of life of the sender.
    function _transfer(uint256 tokenId, address from, address to, uint256 transferCount, bool signs) internal {
        unchecked {
            _tokens[tokenId].holding = packHolding(to, transferCount + 1);
        }
        HolderSlot storage slot = _holders[from];
        Holder sender = slot.holder.minusOne();
        slot.holder = signs ? sender.signed() : sender;
        slot = _holders[to];
        slot.holder = slot.holder.plusOne();
        emit Transfer(from, to, tokenId);
    }

    function _existing(uint256 tokenId) internal view returns (address owner, uint256 transferCount) {
        (owner, transferCount) = _holdingOf(tokenId);
        if (owner == address(0)) revert ERC721NonexistentToken(tokenId);
    }
}
