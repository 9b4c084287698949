// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice ERC-165.
interface IERC165 {
    /// @notice Returns whether the contract implements the interface with this identifier.
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}

/// @notice ERC-721, the ownership of tokens.
interface IERC721 {
    /// @notice A token was transferred; `from` is zero when it was created.
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    /// @notice An account may transfer one token until its next transfer.
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    /// @notice An operator may, or may no longer, transfer every token of an owner.
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    /// @notice Returns the number of tokens of an account.
    function balanceOf(address owner) external view returns (uint256);
    /// @notice Returns the owner of a token.
    function ownerOf(uint256 tokenId) external view returns (address);
    /// @notice Transfers a token; a receiving contract must confirm it.
    function safeTransferFrom(address from, address to, uint256 tokenId, bytes calldata data) external;
    /// @notice Transfers a token; a receiving contract must confirm it.
    function safeTransferFrom(address from, address to, uint256 tokenId) external;
    /// @notice Transfers a token.
    function transferFrom(address from, address to, uint256 tokenId) external;
    /// @notice Allows one account to transfer one token until its next transfer.
    function approve(address to, uint256 tokenId) external;
    /// @notice Allows an operator to transfer every token of the caller, or ends that.
    function setApprovalForAll(address operator, bool approved) external;
    /// @notice Returns the account that may transfer a token besides its owner and operators.
    function getApproved(uint256 tokenId) external view returns (address);
    /// @notice Returns whether an operator may transfer every token of an owner.
    function isApprovedForAll(address owner, address operator) external view returns (bool);
}

/// @notice ERC-721, the optional names.
interface IERC721Metadata {
    /// @notice Returns the name of the collection.
    function name() external view returns (string memory);
    /// @notice Returns the symbol of the collection.
    function symbol() external view returns (string memory);
    /// @notice Returns a JSON document about a token, as a data URI.
    function tokenURI(uint256 tokenId) external view returns (string memory);
}

/// @notice ERC-721, the side of a contract that receives tokens.
interface IERC721Receiver {
    /// @notice Accepts a token by returning this function's selector.
    function onERC721Received(address operator, address from, uint256 tokenId, bytes calldata data)
        external
        returns (bytes4);
}

/// @notice ERC-7572, the description of the collection.
interface IERC7572 {
    /// @notice Returns a JSON document about the collection, as a data URI.
    function contractURI() external view returns (string memory);
}

/// @notice ERC-2981, the royalty that other markets are requested to pay.
interface IERC2981 {
    /// @notice Returns the recipient and the amount of the royalty on a sale at a price.
    function royaltyInfo(uint256 tokenId, uint256 salePrice)
        external
        view
        returns (address receiver, uint256 royaltyAmount);
}

/// @notice Manifold's royalties of several recipients, which markets read beside ERC-2981.
interface IManifoldRoyalties {
    /// @notice Returns the recipients of royalties on each sale of a token, and their basis points of its price.
    function getRoyalties(uint256 tokenId)
        external
        view
        returns (address payable[] memory recipients, uint256[] memory royaltiesBps);
}

/// @notice ERC-6093, the failures of ERC-721.
interface IERC721Errors {
    /// @notice The zero address owns nothing.
    error ERC721InvalidOwner(address owner);
    /// @notice There is no such token.
    error ERC721NonexistentToken(uint256 tokenId);
    /// @notice The given sender is not the owner.
    error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner);
    /// @notice The receiver cannot hold tokens.
    error ERC721InvalidReceiver(address receiver);
    /// @notice The caller may not transfer the token.
    error ERC721InsufficientApproval(address operator, uint256 tokenId);
    /// @notice The caller may not approve anyone for the token.
    error ERC721InvalidApprover(address approver);
    /// @notice The zero address cannot operate.
    error ERC721InvalidOperator(address operator);
}
