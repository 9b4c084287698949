// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @notice The same market as most projects would write it: audited parts, structs and strings. Only gas is read off it.
contract OrdinaryMemory is ERC721URIStorage, Ownable, ReentrancyGuard {
    struct Snapshot {
        bytes32 contentHash;
        string storageUri;
        address creator;
        uint256 parent;
        uint256 royaltyBps;
        uint256 timestamp;
    }

    struct Listing {
        address seller;
        uint256 price;
        uint256 rentPerDay;
        uint256 forkPrice;
        uint256 royaltyBps;
    }

    event Minted(uint256 indexed tokenId, address indexed creator, bytes32 contentHash, string storageUri);
    event Listed(uint256 indexed tokenId, address indexed seller, uint256 price);
    event Sold(uint256 indexed tokenId, address indexed buyer, uint256 price);
    event Rented(uint256 indexed tokenId, address indexed renter, uint256 expiresAt);
    event Forked(uint256 indexed parent, uint256 indexed tokenId, address indexed forker);
    event RoyaltyPaid(uint256 indexed tokenId, address indexed to, uint256 amount);

    mapping(uint256 tokenId => Snapshot snapshot) public snapshots;
    mapping(uint256 tokenId => Listing listing) public listings;
    mapping(uint256 tokenId => mapping(address renter => uint256 expiresAt)) public rentals;
    uint256 public totalSupply;

    constructor() ERC721("Ordinary Memory", "ORD") Ownable(msg.sender) {}

    function mint(address to, bytes32 contentHash, string calldata storageUri, uint256 parent) external {
        _record(to, contentHash, storageUri, parent, 0);
    }

    function mintBatch(address to, bytes32[] calldata contentHashes, string[] calldata storageUris) external {
        for (uint256 i = 0; i < contentHashes.length; ++i) {
            _record(to, contentHashes[i], storageUris[i], 0, 0);
        }
    }

    function list(uint256 tokenId, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps) external {
        require(ownerOf(tokenId) == msg.sender, "not the owner");
        require(royaltyBps <= 10_000, "royalty too high");
        listings[tokenId] = Listing(msg.sender, price, rentPerDay, forkPrice, royaltyBps);
        emit Listed(tokenId, msg.sender, price);
    }

    function buy(uint256 tokenId) external payable nonReentrant {
        Listing memory listing = listings[tokenId];
        require(listing.price > 0 && msg.value == listing.price, "not for sale at this price");
        delete listings[tokenId];
        _transfer(listing.seller, msg.sender, tokenId);
        _settle(tokenId, listing.seller);
        emit Sold(tokenId, msg.sender, listing.price);
    }

    function rent(uint256 tokenId, uint256 numberOfDays) external payable nonReentrant {
        Listing memory listing = listings[tokenId];
        require(listing.rentPerDay > 0 && msg.value == listing.rentPerDay * numberOfDays, "not for rent at this price");
        uint256 from = rentals[tokenId][msg.sender];
        uint256 expiresAt = (from > block.timestamp ? from : block.timestamp) + numberOfDays * 1 days;
        rentals[tokenId][msg.sender] = expiresAt;
        _settle(tokenId, listing.seller);
        emit Rented(tokenId, msg.sender, expiresAt);
    }

    function fork(uint256 parent) external payable nonReentrant {
        Listing memory listing = listings[parent];
        require(listing.forkPrice > 0 && msg.value == listing.forkPrice, "not for fork at this price");
        Snapshot memory source = snapshots[parent];
        _record(msg.sender, source.contentHash, source.storageUri, parent, listing.royaltyBps);
        _settle(parent, listing.seller);
        emit Forked(parent, totalSupply, msg.sender);
    }

    function payRoyalty(uint256 parent) external payable nonReentrant {
        require(msg.value > 0, "nothing to pay");
        _payRoyalty(parent, msg.value);
    }

    function _record(address to, bytes32 contentHash, string memory storageUri, uint256 parent, uint256 royaltyBps)
        private
    {
        uint256 tokenId = ++totalSupply;
        _safeMint(to, tokenId);
        _setTokenURI(tokenId, storageUri);
        snapshots[tokenId] = Snapshot(contentHash, storageUri, msg.sender, parent, royaltyBps, block.timestamp);
        emit Minted(tokenId, msg.sender, contentHash, storageUri);
    }

    function _settle(uint256 tokenId, address seller) private {
        Snapshot storage snapshot = snapshots[tokenId];
        uint256 royalty = (msg.value * snapshot.royaltyBps) / 10_000;
        if (royalty > 0) _payRoyalty(snapshot.parent, royalty);
        (bool paid,) = seller.call{value: msg.value - royalty}("");
        require(paid, "payment refused");
    }

    function _payRoyalty(uint256 tokenId, uint256 amount) private {
        address creator = snapshots[tokenId].creator;
        (bool paid,) = creator.call{value: amount}("");
        require(paid, "royalty refused");
        emit RoyaltyPaid(tokenId, creator, amount);
    }
}
