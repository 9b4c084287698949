// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Heirs} from "./Heirs.sol";
import {IERC165, IERC2981, IERC721, IERC721Metadata, IERC7572, IManifoldRoyalties} from "./interfaces/IERC721.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {DEPTH_LIMIT, Origin, packOrigin} from "./libraries/Origin.sol";
import {Royalty} from "./libraries/Royalty.sol";
import {TokenDocument} from "./libraries/TokenDocument.sol";

/// @notice The record of agent memories, each an ERC-721 token. No owner, no upgrade, no burn.
contract MemoryRegistry is Heirs, IMemoryRegistry, IERC721Metadata, IERC7572, IERC2981, IManifoldRoyalties, IERC165 {
    uint256 private constant _BATCH_LIMIT = 200;

    /// @inheritdoc IERC721Metadata
    string public constant name = "Heirloom Memory";
    /// @inheritdoc IERC721Metadata
    string public constant symbol = "HEIR";

    /// @inheritdoc IMemoryRegistry
    address public immutable marketplace = msg.sender;

    /// @inheritdoc IMemoryRegistry
    /// @dev Ids count up from 1 and nothing is ever burned, so a token exists exactly when 0 < id <= supply. An id
    /// outgrows its 42 bits only after 4e12 mints.
    uint256 public totalSupply;

    constructor(address forwarder) ERC2771Context(forwarder) {}

    modifier onlyMarketplace() {
        if (msg.sender != marketplace) revert CallerNotMarketplace(msg.sender);
        _;
    }

    /// @inheritdoc IMemoryRegistry
    function mint(address recipient, bytes32 contentHash, bytes32 digest, uint256 parent)
        external
        returns (uint256 tokenId)
    {
        tokenId = ++totalSupply;
        _mint(tokenId, _msgSender(), recipient, contentHash, digest, parent);
    }

    /// @inheritdoc IMemoryRegistry
    function mintBatch(Item[] calldata items) external returns (uint256 firstTokenId) {
        firstTokenId = _claimIds(items.length);
        address creator = _msgSender();
        unchecked {
            for (uint256 i = 0; i < items.length; ++i) {
                Item calldata item = items[i];
                _mint(firstTokenId + i, creator, item.recipient, item.contentHash, item.digest, item.parent);
            }
        }
    }

    /// @inheritdoc IMemoryRegistry
    function mintDescribed(Item[] calldata items, bytes32[] calldata cards) external returns (uint256 firstTokenId) {
        if (cards.length != items.length) revert CardCountInvalid(cards.length, items.length);
        firstTokenId = _claimIds(items.length);
        address creator = _msgSender();
        unchecked {
            for (uint256 i = 0; i < items.length; ++i) {
                Item calldata item = items[i];
                _mint(firstTokenId + i, creator, item.recipient, item.contentHash, item.digest, item.parent);
                if (cards[i] != 0) emit Described(firstTokenId + i, cards[i]);
            }
        }
    }

    /// @inheritdoc IMemoryRegistry
    /// @dev Only the origin is stored; the content is found through the parent. The limit bounds every walk of a chain.
    function fork(uint256 parent, address forker, address recipient, uint256 royaltyBps)
        external
        onlyMarketplace
        returns (uint256 tokenId)
    {
        _requireRecipient(recipient);
        (uint256 sourceId, uint256 depth) = _sourceOf(parent);
        if (depth == DEPTH_LIMIT) revert LineageTooDeep(parent, DEPTH_LIMIT);
        uint256 licence;
        unchecked {
            (tokenId, licence) = (++totalSupply, royaltyBps + 1);
        }
        _tokens[tokenId].origin = packOrigin(forker, parent, licence);
        // Anybody may pay for a fork of a given account, so a fork is no sign of life.
        _give(tokenId, forker, recipient, false);
        Token storage source = _tokens[sourceId];
        emit Minted(tokenId, forker, source.contentHash, source.digest, parent, licence);
    }

    /// @inheritdoc IMemoryRegistry
    function transferOnSale(uint256 tokenId, address recipient) external onlyMarketplace {
        _requireRecipient(recipient);
        (address owner, uint256 transferCount) = _holdingOf(tokenId);
        _transfer(tokenId, owner, recipient, transferCount, false);
    }

    /// @inheritdoc IMemoryRegistry
    function recordOf(uint256 tokenId)
        external
        view
        returns (
            address creator,
            uint256 timestamp,
            uint256 parent,
            uint256 licence,
            bytes32 contentHash,
            bytes32 digest,
            address owner,
            uint256 transferCount
        )
    {
        Origin origin = _originOf(tokenId);
        (creator, timestamp, parent, licence) =
        (origin.creator(), origin.timestamp(), origin.parent(), origin.licence());
        Token storage source = _contentOf(tokenId);
        (contentHash, digest) = (source.contentHash, source.digest);
        (owner, transferCount) = _holdingOf(tokenId);
    }

    /// @inheritdoc IMemoryRegistry
    function holdingOf(uint256 tokenId) external view returns (address owner, uint256 transferCount) {
        (owner, transferCount) = _holdingOf(tokenId);
        if (owner == address(0)) revert TokenNotFound(tokenId);
    }

    /// @inheritdoc IMemoryRegistry
    function royaltyLineageOf(uint256 tokenId) external view returns (Claim[] memory) {
        return _claimsOn(_originOf(tokenId));
    }

    /// @inheritdoc IMemoryRegistry
    function sourceOf(uint256 tokenId) external view returns (uint256 source, address creator, uint256 depth) {
        _originOf(tokenId);
        (source, depth) = _sourceOf(tokenId);
        creator = _tokens[source].origin.creator();
    }

    /// @inheritdoc IMemoryRegistry
    function creatorOf(uint256 tokenId) external view returns (address) {
        return _originOf(tokenId).creator();
    }

    /// @inheritdoc IMemoryRegistry
    function parentOf(uint256 tokenId) external view returns (uint256) {
        return _originOf(tokenId).parent();
    }

    /// @inheritdoc IMemoryRegistry
    function storageURI(uint256 tokenId) external view returns (string memory) {
        _originOf(tokenId);
        return TokenDocument.storageURI(_contentOf(tokenId).digest);
    }

    /// @inheritdoc IERC721Metadata
    function tokenURI(uint256 tokenId) external view returns (string memory) {
        Origin origin = _tokens[tokenId].origin;
        if (origin.creator() == address(0)) revert ERC721NonexistentToken(tokenId);
        Token storage source = _contentOf(tokenId);
        return TokenDocument.tokenURI(tokenId, source.contentHash, source.digest, origin);
    }

    /// @inheritdoc IERC7572
    function contractURI() external pure returns (string memory) {
        return TokenDocument.contractURI(name, symbol);
    }

    /// @inheritdoc IERC2981
    /// @dev There is room for one recipient only: the largest claim, the oldest of equals.
    function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address receiver, uint256 amount) {
        Claim[] memory claims = _claimsOn(_tokens[tokenId].origin);
        uint256 largest = 0;
        for (uint256 i = 0; i < claims.length; ++i) {
            if (claims[i].royaltyBps > largest) (receiver, largest) = (claims[i].creator, claims[i].royaltyBps);
        }
        amount = Royalty.shareOf(salePrice, largest);
    }

    /// @inheritdoc IManifoldRoyalties
    function getRoyalties(uint256 tokenId)
        external
        view
        returns (address payable[] memory recipients, uint256[] memory royaltiesBps)
    {
        Claim[] memory claims = _claimsOn(_tokens[tokenId].origin);
        recipients = new address payable[](claims.length);
        royaltiesBps = new uint256[](claims.length);
        for (uint256 i = 0; i < claims.length; ++i) {
            (recipients[i], royaltiesBps[i]) = (payable(claims[i].creator), claims[i].royaltyBps);
        }
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IERC721).interfaceId
            || interfaceId == type(IERC721Metadata).interfaceId || interfaceId == type(IERC2981).interfaceId
            || interfaceId == type(IManifoldRoyalties).interfaceId;
    }

    function _claimIds(uint256 size) private returns (uint256 first) {
        if (size == 0 || size > _BATCH_LIMIT) revert BatchSizeInvalid(size, _BATCH_LIMIT);
        first = totalSupply + 1;
        unchecked {
            totalSupply = first + size - 1;
        }
    }

    /// @dev A parent must be older than its child, so the lineage has no cycle. A caller can always hold tokens, since none
    /// of the contracts that cannot calls this one.
    function _mint(
        uint256 tokenId,
        address creator,
        address recipient,
        bytes32 contentHash,
        bytes32 digest,
        uint256 parent
    ) private {
        if (recipient != creator && !_canHold(recipient)) {
            if (recipient == address(0)) revert ERC721InvalidReceiver(recipient);
            revert RecipientInvalid(recipient);
        }
        if (contentHash == 0) revert ContentHashZero();
        if (parent >= tokenId) revert TokenNotFound(parent);
        Token storage token = _tokens[tokenId];
        token.contentHash = contentHash;
        token.digest = digest;
        token.origin = packOrigin(creator, parent, 0);
        _give(tokenId, creator, recipient, recipient == creator);
        emit Minted(tokenId, creator, contentHash, digest, parent, 0);
    }

    function _originOf(uint256 tokenId) private view returns (Origin origin) {
        origin = _tokens[tokenId].origin;
        if (origin.creator() == address(0)) revert TokenNotFound(tokenId);
    }

    /// @dev Returns the snapshot at the end of a chain of licensed forks, and the length of the chain.
    function _sourceOf(uint256 tokenId) private view returns (uint256 source, uint256 depth) {
        source = tokenId;
        Origin link = _tokens[source].origin;
        while (link.licence() != 0) {
            source = link.parent();
            link = _tokens[source].origin;
            unchecked {
                ++depth;
            }
        }
    }

    /// @dev Licensed forks share the content of their source.
    function _contentOf(uint256 tokenId) private view returns (Token storage) {
        (uint256 source,) = _sourceOf(tokenId);
        return _tokens[source];
    }

    /// @dev Walks up the chain twice, to count the claims and to fill them in from the youngest to the oldest.
    function _claimsOn(Origin origin) private view returns (Claim[] memory claims) {
        uint256 count = 0;
        for (Origin link = origin; link.licence() != 0; link = _tokens[link.parent()].origin) {
            unchecked {
                if (link.licence() != 1) ++count;
            }
        }
        claims = new Claim[](count);
        while (count != 0) {
            (uint256 parent, uint256 licence) = (origin.parent(), origin.licence());
            origin = _tokens[parent].origin;
            unchecked {
                if (licence != 1) claims[--count] = Claim(parent, origin.creator(), licence - 1);
            }
        }
    }

    function _requireRecipient(address recipient) private view {
        if (!_canHold(recipient)) revert RecipientInvalid(recipient);
    }

    function _canHold(address account) internal view override returns (bool) {
        return
            account != address(0) && account != address(this) && account != marketplace && account != trustedForwarder();
    }
}
