// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Records memories: their content, creator, parent, time and owner. It never holds money.
interface IMemoryRegistry {
    /// @notice One snapshot of a batch, with the parameters of `mint`.
    struct Item {
        address recipient;
        bytes32 contentHash;
        bytes32 digest;
        uint256 parent;
    }

    /// @notice A share of each price of a licensed fork that is due to the creator of a token that it was forked from.
    struct Claim {
        uint256 tokenId;
        address creator;
        uint256 royaltyBps;
    }

    /// @notice A token was created. These events and the transfers suffice to rebuild the registry.
    /// @param licence 0 for a snapshot, else 1 plus the basis points of each price that a licensed fork owes to the
    /// creator of its parent, beside all that its parent owes.
    event Minted(
        uint256 indexed tokenId,
        address indexed creator,
        bytes32 indexed contentHash,
        bytes32 digest,
        uint256 parent,
        uint256 licence
    );

    /// @notice The creator of a snapshot published its card. Follows `Minted` directly, at most once for a token.
    /// @param card The sha2-256 digest of the block that holds the card. No contract reads the block: the card counts
    /// for the token only if it names its content hash. Licensed forks share the card of the snapshot they came from.
    event Described(uint256 indexed tokenId, bytes32 card);

    /// @notice There is no such token.
    error TokenNotFound(uint256 tokenId);
    /// @notice The contracts of the pair and their forwarder cannot hold tokens.
    error RecipientInvalid(address recipient);
    /// @notice A batch is empty or too large.
    error BatchSizeInvalid(uint256 size, uint256 limit);
    /// @notice A described batch has as many cards as items, counting those that are 0.
    error CardCountInvalid(uint256 count, uint256 expected);
    /// @notice A snapshot must have a content hash.
    error ContentHashZero();
    /// @notice A token with `limit` licensed forks between it and its source, itself included, cannot be forked.
    error LineageTooDeep(uint256 tokenId, uint256 limit);
    /// @notice Only the marketplace of the pair may do this.
    error CallerNotMarketplace(address caller);

    /// @notice Records a snapshot made by the caller and owned by `recipient`.
    /// @param digest The sha2-256 digest of the root block of the sealed envelope.
    /// @param parent Any existing token, or 0 for a root. A declared parent is owed nothing.
    function mint(address recipient, bytes32 contentHash, bytes32 digest, uint256 parent)
        external
        returns (uint256 tokenId);

    /// @notice Records 1 to 200 snapshots with consecutive ids. An item may name an earlier one as its parent.
    function mintBatch(Item[] calldata items) external returns (uint256 firstTokenId);

    /// @notice Records snapshots as `mintBatch` does, with the cards of those that have one.
    /// @param cards For each item the digest of its card, or 0 for none.
    function mintDescribed(Item[] calldata items, bytes32[] calldata cards) external returns (uint256 firstTokenId);

    /// @notice Records a licensed fork of an existing token. Only the marketplace calls it.
    /// @param royaltyBps The share the fork newly owes to the creator of its parent, for ever. With all that the
    /// parent owes it is at most 10000.
    function fork(uint256 parent, address forker, address recipient, uint256 royaltyBps)
        external
        returns (uint256 tokenId);

    /// @notice Moves a sold token to its new owner. Only the marketplace calls it.
    function transferOnSale(uint256 tokenId, address recipient) external;

    /// @notice Returns the whole record of a token; its content is that of the snapshot it was forked from.
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
        );

    /// @notice Returns the owner of a token and the number of its transfers.
    function holdingOf(uint256 tokenId) external view returns (address owner, uint256 transferCount);

    /// @notice Returns the claims on each price, the oldest first: at most 8, none of 0, together at most 10000.
    function royaltyLineageOf(uint256 tokenId) external view returns (Claim[] memory claims);

    /// @notice Returns the snapshot that a token was forked from through licensed forks; a snapshot is its own source.
    /// @dev `creator` is the creator of the source. `depth` counts the licensed forks of the chain, the token included: 0
    /// for a snapshot, at most 64.
    function sourceOf(uint256 tokenId) external view returns (uint256 source, address creator, uint256 depth);

    /// @notice Returns the creator of a token.
    function creatorOf(uint256 tokenId) external view returns (address creator);

    /// @notice Returns the parent of a token, 0 for a root.
    function parentOf(uint256 tokenId) external view returns (uint256 parent);

    /// @notice Returns the storage URI of a sealed memory: `v2:ipfs://0x` and the digest in lower-case hex.
    function storageURI(uint256 tokenId) external view returns (string memory);

    /// @notice Returns the number of tokens, which is also the id of the newest.
    function totalSupply() external view returns (uint256);

    /// @notice Returns the marketplace that deployed this registry.
    function marketplace() external view returns (address);
}
